use std::str::FromStr;

use super::CommitGraph;
use crate::error::Error;

/// A scheme to parse and compare versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VersionScheme {
    /// Semantic Versioning 2.0, as in npm and Cargo: `10.0.0-rc.1` comes before `10.0.0`. A version can start with `v`.
    Semver,
    /// PEP 440, as in Python packages: `2.0rc1` comes before `2.0`, and `2.0.post1` comes after it.
    Pep440,
}

impl VersionScheme {
    /// The names of all schemes.
    pub const NAMES: [&str; 2] = ["semver", "pep440"];
}

impl FromStr for VersionScheme {
    type Err = Error;

    fn from_str(name: &str) -> Result<VersionScheme, Error> {
        match name {
            "semver" => Ok(VersionScheme::Semver),
            "pep440" => Ok(VersionScheme::Pep440),
            _ => Err(Error::invalid("scheme", name, format!("one of {}", VersionScheme::NAMES.join(", ")))),
        }
    }
}

impl CommitGraph {
    /// Creates a linear graph from versions in any order: the parent of each version is the next lower one. Equal
    /// versions keep their order.
    ///
    /// ```
    /// use firstbad::CommitGraph;
    /// use firstbad::graph::VersionScheme;
    ///
    /// let graph = CommitGraph::from_versions(["10.0.0", "9.1.0", "10.0.0-rc.1"], VersionScheme::Semver)?;
    /// assert_eq!(graph.ids().collect::<Vec<_>>(), ["9.1.0", "10.0.0-rc.1", "10.0.0"]);
    /// # Ok::<(), firstbad::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if a version does not follow the scheme, and the errors of [`CommitGraph::linear`].
    pub fn from_versions<I>(versions: I, scheme: VersionScheme) -> Result<Self, Error>
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        match scheme {
            VersionScheme::Semver => in_order(versions, |version| {
                let expected = "versions with three numbers, like \"1.2.3\" or \"1.2.3-rc.1\"";
                let number = version.strip_prefix(['v', 'V']).unwrap_or(version);
                semver::Version::parse(number).map_err(|error| (error.to_string(), expected))
            }),
            VersionScheme::Pep440 => in_order(versions, |version| {
                let expected = "versions like \"1.2\" or \"1.2rc1\"";
                pep440_rs::Version::from_str(version).map_err(|error| (error.to_string(), expected))
            }),
        }
    }
}

/// Creates a linear graph from versions, sorted by the keys that `read` returns.
fn in_order<I, V: Ord>(
    versions: I,
    read: impl Fn(&str) -> Result<V, (String, &'static str)>,
) -> Result<CommitGraph, Error>
where
    I: IntoIterator<Item: AsRef<str>>,
{
    let keyed = versions.into_iter().map(|version| match read(version.as_ref()) {
        Ok(key) => Ok((key, version)),
        Err((why, expected)) => Err(Error::invalid("versions", version.as_ref(), format!("{expected} ({why})"))),
    });
    let mut keyed = keyed.collect::<Result<Vec<_>, _>>()?;
    keyed.sort_by(|(one, _), (other, _)| one.cmp(other));
    CommitGraph::linear(keyed.iter().map(|(_, version)| version))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(versions: &[&str], scheme: &str) -> Vec<String> {
        let graph = CommitGraph::from_versions(versions, scheme.parse().unwrap()).unwrap();
        graph.ids().map(str::to_owned).collect()
    }

    #[test]
    fn versions_are_in_version_order() {
        let npm = ["10.0.0-beta.2", "10.0.0-beta.11", "10.0.0-nightly.1", "10.0.0", "v10.0.1", "10.2.0", "10.10.0"];
        let mut mixed = npm;
        mixed.sort_unstable();
        assert_eq!(ordered(&mixed, "semver"), npm);
        let python = ["1.0.dev3", "1.0a1", "1.0rc1", "1.0", "1.0.post1", "1.9", "1.10", "1!0.1"];
        let mut mixed = python;
        mixed.sort_unstable();
        assert_eq!(ordered(&mixed, "pep440"), python);
        assert_eq!(ordered(&["1.0.0", "1.0"], "pep440"), ["1.0.0", "1.0"], "equal versions keep their order");
    }

    #[test]
    fn errors_name_the_invalid_version() {
        for (versions, scheme, words) in [
            (&["1.0.0", "1.2"][..], "semver", "versions: \"1.2\" is not valid; expected versions with three numbers"),
            (&["1.0", "latest"], "pep440", "versions: \"latest\" is not valid; expected versions like"),
        ] {
            let error = CommitGraph::from_versions(versions, scheme.parse().unwrap()).unwrap_err().to_string();
            assert!(error.starts_with(words), "{error}");
        }
        assert!("calver".parse::<VersionScheme>().unwrap_err().to_string().contains("one of semver, pep440"));
        assert_eq!(
            CommitGraph::from_versions(Vec::<String>::new(), VersionScheme::Semver).unwrap_err().code(),
            "empty_graph"
        );
    }
}
