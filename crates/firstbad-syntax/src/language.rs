//! The supported languages.

use tree_sitter::Language as Grammar;

/// A language of source files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// Python 2 and 3.
    Python,
    /// JavaScript, including JSX.
    JavaScript,
    /// TypeScript. Needs the Cargo feature `typescript`.
    TypeScript,
    /// TypeScript with JSX. Needs the Cargo feature `typescript`.
    Tsx,
    /// Java. Needs the Cargo feature `java`.
    Java,
    /// Rust. Needs the Cargo feature `rust`.
    Rust,
    /// C. Needs the Cargo feature `c`.
    C,
}

impl Language {
    /// Returns the language of a file by its extension, or `None` if the extension is unknown.
    #[must_use]
    pub fn of(path: &str) -> Option<Language> {
        let (_, end) = path.rsplit('/').next()?.rsplit_once('.')?;
        Some(match end {
            "py" | "pyi" => Language::Python,
            "js" | "jsx" | "mjs" | "cjs" => Language::JavaScript,
            "ts" | "mts" | "cts" => Language::TypeScript,
            "tsx" => Language::Tsx,
            "java" => Language::Java,
            "rs" => Language::Rust,
            "c" | "h" => Language::C,
            _ => return None,
        })
    }

    /// Returns the display name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Python => "Python",
            Language::JavaScript => "JavaScript",
            Language::TypeScript | Language::Tsx => "TypeScript",
            Language::Java => "Java",
            Language::Rust => "Rust",
            Language::C => "C",
        }
    }

    /// Returns the Cargo feature that builds in the grammar, or `None` if the grammar is always built in.
    #[must_use]
    pub fn feature(self) -> Option<&'static str> {
        match self {
            Language::Python | Language::JavaScript => None,
            Language::TypeScript | Language::Tsx => Some("typescript"),
            Language::Java => Some("java"),
            Language::Rust => Some("rust"),
            Language::C => Some("c"),
        }
    }

    /// Returns the name that methods use for their object, or `None` if the language has no methods.
    #[must_use]
    pub fn own_object(self) -> Option<&'static str> {
        match self {
            Language::Python | Language::Rust => Some("self"),
            Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Java => Some("this"),
            Language::C => None,
        }
    }

    /// Returns whether the grammar is built in.
    #[must_use]
    pub fn is_there(self) -> bool {
        match self {
            Language::Python | Language::JavaScript => true,
            Language::TypeScript | Language::Tsx => cfg!(feature = "typescript"),
            Language::Java => cfg!(feature = "java"),
            Language::Rust => cfg!(feature = "rust"),
            Language::C => cfg!(feature = "c"),
        }
    }

    /// Returns the tree-sitter grammar.
    ///
    /// # Errors
    /// The text of [`Language::missing`], if the grammar is not built in.
    pub(crate) fn grammar(self) -> Result<Grammar, String> {
        Ok(match self {
            Language::Python => tree_sitter_python::LANGUAGE.into(),
            Language::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
            #[cfg(feature = "typescript")]
            Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            #[cfg(feature = "typescript")]
            Language::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            #[cfg(feature = "java")]
            Language::Java => tree_sitter_java::LANGUAGE.into(),
            #[cfg(feature = "rust")]
            Language::Rust => tree_sitter_rust::LANGUAGE.into(),
            #[cfg(feature = "c")]
            Language::C => tree_sitter_c::LANGUAGE.into(),
            #[cfg(not(all(feature = "typescript", feature = "java", feature = "rust", feature = "c")))]
            other => return Err(other.missing()),
        })
    }

    /// Returns an error message that says which Cargo feature builds in the grammar.
    #[must_use]
    pub fn missing(self) -> String {
        let feature = self.feature().unwrap_or("default");
        format!("the grammar of {} is not built in; the cargo feature {feature:?} has it", self.name())
    }
}
