use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::build_graph::{BuildGraph, BuildGraphBuilder};
use super::kind::BuildGraphKind;

/// The serde form of a build graph.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    kind: BuildGraphKind,
    targets: Vec<Target>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Target {
    name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    folders: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    deps: Vec<String>,
}

impl Serialize for BuildGraph {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let target = |(number, name): (usize, &str)| Target {
            name: name.to_owned(),
            files: Vec::new(),
            folders: Vec::new(),
            deps: self.deps.row(number as u32).iter().map(|&dep| self.name(dep).to_owned()).collect(),
        };
        let mut targets: Vec<Target> = self.targets().enumerate().map(target).collect();
        let (files, folders) = self.owners.pairs();
        files.for_each(|(file, target)| targets[target as usize].files.push(file.to_owned()));
        folders.for_each(|(folder, target)| targets[target as usize].folders.push(folder.to_owned()));
        for target in &mut targets {
            target.files.sort_unstable();
            target.folders.sort_unstable();
        }
        Written { kind: self.kind(), targets }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for BuildGraph {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BuildGraph, D::Error> {
        let Written { kind, targets } = Written::deserialize(deserializer)?;
        let mut builder = BuildGraphBuilder::new();
        builder.kind(kind);
        for Target { name, files, folders, deps } in &targets {
            builder.target(name);
            for file in files {
                builder.file(file);
            }
            for folder in folders {
                builder.folder(folder);
            }
            for dep in deps {
                builder.dep(dep);
            }
        }
        builder.build().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_graph_survives_a_json_round_trip() {
        let mut builder = BuildGraphBuilder::new();
        builder.kind(BuildGraphKind::Python);
        builder.target("a").file("a.py").build_file("BUILD").dep("c").dep("b").dep("b");
        builder.target("b").folder("lib").folder("./data/").file("a.py").dep("a");
        builder.target("c").folder(".").folder("lib").file("BUILD");
        let graph = builder.build().unwrap();
        let text = serde_json::to_string(&graph).unwrap();
        let again: BuildGraph = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&again).unwrap(), text);
        assert_eq!((again.kind(), again.file_count()), (graph.kind(), graph.file_count()));
        assert_eq!(again.cycles(), [["a", "b"]]);
        for target in ["a", "b", "c"] {
            assert_eq!(again.dependencies(target), graph.dependencies(target), "{target}");
        }
        for file in ["a.py", "BUILD", "lib/x", "data/x", "x"] {
            let [mine, theirs] = [&again, &graph].map(|graph| graph.targets_of(file).collect::<Vec<_>>());
            assert_eq!(mine, theirs, "{file}");
        }
        let error = serde_json::from_str::<BuildGraph>(r#"{"kind":"bazel","targets":[{"name":"a","deps":["b"]}]}"#);
        assert!(error.unwrap_err().to_string().starts_with(r#"targets["a"].deps: "b" is not valid; expected names"#));
    }
}
