//! The languages whose grammars there are.

use tree_sitter::Language as Grammar;

/// A language of source files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// Python 2 and 3.
    Python,
    /// JavaScript, with JSX.
    JavaScript,
    /// TypeScript; the cargo feature `typescript`.
    TypeScript,
    /// TypeScript with JSX; the cargo feature `typescript`.
    Tsx,
    /// Java; the cargo feature `java`.
    Java,
    /// Rust; the cargo feature `rust`.
    Rust,
    /// C; the cargo feature `c`.
    C,
}

impl Language {
    /// The language of a file, by the end of its name; `None` if there is no grammar for it.
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

    /// Its name, for people.
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

    /// The cargo feature that its grammar comes with; `None` if it is always there.
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

    /// What a method's own object is called in it; `None` if it has no methods.
    #[must_use]
    pub fn own_object(self) -> Option<&'static str> {
        match self {
            Language::Python | Language::Rust => Some("self"),
            Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Java => Some("this"),
            Language::C => None,
        }
    }

    /// Whether its grammar is built in.
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

    /// # Errors
    /// If it is not built in: in words.
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

    /// That its grammar is not built in, and what would build it in.
    #[must_use]
    pub fn missing(self) -> String {
        let feature = self.feature().unwrap_or("default");
        format!("the grammar of {} is not built in; the cargo feature {feature:?} has it", self.name())
    }
}
