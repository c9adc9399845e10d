//! The relevant node kinds of each grammar.

use crate::language::Language;

type Kinds = &'static [&'static str];
/// Node kinds, each with one of its fields.
type Fields = &'static [(&'static str, &'static str)];

#[derive(Debug)]
pub(crate) struct Rules {
    /// Functions and methods. Nested functions belong to the outer function.
    pub(crate) functions: Kinds,
    pub(crate) classes: Kinds,
    /// Functions that are values. They have a name only if they are assigned to a variable.
    pub(crate) lambdas: Kinds,
    /// Statements that define variables of a module or class, with the inner node and field of the name.
    pub(crate) variables: &'static [(&'static str, &'static str, &'static str)],
    pub(crate) imports: Kinds,
    /// Nodes around a definition that belong to it, with the field of the definition.
    pub(crate) wrappers: Fields,
    /// Nodes whose children are statements.
    pub(crate) blocks: Kinds,
    /// Leaves that are names.
    pub(crate) names: Kinds,
    /// Member accesses, with the fields of the object and the name.
    pub(crate) members: &'static [(&'static str, &'static str, &'static str)],
    /// Element accesses by an index.
    pub(crate) elements: Kinds,
    /// Calls, with the field of the function.
    pub(crate) calls: Fields,
    /// Assignments, with the field of the target and whether the previous value is read.
    pub(crate) sets: &'static [(&'static str, &'static str, bool)],
    /// Nodes that bind all their names.
    pub(crate) bound: Kinds,
    /// Parameter lists.
    pub(crate) parameters: Kinds,
    /// Names that do not refer to anything.
    pub(crate) labels: Fields,
    /// Statements whose value is a result.
    pub(crate) results: Kinds,
    /// Statements that change the control flow.
    pub(crate) jumps: Kinds,
    /// Names for the object of a method.
    pub(crate) own: Kinds,
    /// Nodes that list the base classes.
    pub(crate) bases: Kinds,
    /// Whether names of other files can be used without importing them by name.
    pub(crate) is_open: bool,
}

/// Fields in which a parameter or assignment does not bind names.
pub(crate) const VALUES: [&str; 9] =
    ["type", "value", "right", "default_value", "arguments", "return_type", "index", "subscript", "body"];
/// The fields of the indexed object in an element access.
pub(crate) const WHOLES: [&str; 4] = ["value", "object", "array", "argument"];

impl Rules {
    pub(crate) fn of(language: Language) -> &'static Rules {
        match language {
            Language::Python => &PYTHON,
            Language::JavaScript | Language::TypeScript | Language::Tsx => &JAVASCRIPT,
            Language::Java => &JAVA,
            Language::Rust => &RUST,
            Language::C => &C,
        }
    }
}

static PYTHON: Rules = Rules {
    functions: &["function_definition"],
    classes: &["class_definition"],
    lambdas: &["lambda"],
    variables: &[
        ("expression_statement", "assignment", "left"),
        ("type_alias_statement", "type_alias_statement", "left"),
    ],
    imports: &["import_statement", "import_from_statement", "future_import_statement"],
    wrappers: &[("decorated_definition", "definition")],
    blocks: &["module", "block"],
    names: &["identifier"],
    members: &[("attribute", "object", "attribute")],
    elements: &["subscript"],
    calls: &[("call", "function")],
    sets: &[
        ("assignment", "left", false),
        ("augmented_assignment", "left", true),
        ("for_statement", "left", false),
        ("for_in_clause", "left", false),
        ("named_expression", "name", false),
        ("as_pattern", "alias", false),
        ("aliased_import", "alias", false),
    ],
    bound: &["as_pattern_target", "case_pattern"],
    parameters: &["parameters", "lambda_parameters"],
    labels: &[("keyword_argument", "name")],
    results: &["return_statement", "yield"],
    jumps: &["raise_statement", "break_statement", "continue_statement", "assert_statement"],
    own: &["self", "cls"],
    bases: &["argument_list"],
    is_open: false,
};

static JAVASCRIPT: Rules = Rules {
    functions: &[
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
        "function_signature",
        "method_signature",
        "abstract_method_signature",
    ],
    classes: &[
        "class_declaration",
        "abstract_class_declaration",
        "interface_declaration",
        "enum_declaration",
        "type_alias_declaration",
    ],
    lambdas: &["arrow_function", "function_expression", "generator_function", "class"],
    variables: &[
        ("lexical_declaration", "variable_declarator", "name"),
        ("variable_declaration", "variable_declarator", "name"),
        ("expression_statement", "assignment_expression", "left"),
        ("field_definition", "field_definition", "property"),
        ("public_field_definition", "public_field_definition", "name"),
        ("property_signature", "property_signature", "name"),
    ],
    imports: &["import_statement"],
    wrappers: &[("export_statement", "declaration")],
    blocks: &["program", "statement_block", "switch_case", "switch_default", "class_body"],
    names: &[
        "identifier",
        "property_identifier",
        "private_property_identifier",
        "type_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
    ],
    members: &[("member_expression", "object", "property")],
    elements: &["subscript_expression"],
    calls: &[("call_expression", "function"), ("new_expression", "constructor")],
    sets: &[
        ("variable_declarator", "name", false),
        ("assignment_expression", "left", false),
        ("augmented_assignment_expression", "left", true),
        ("for_in_statement", "left", false),
        ("update_expression", "argument", true),
        ("catch_clause", "parameter", false),
        ("arrow_function", "parameter", false),
    ],
    bound: &[],
    parameters: &["formal_parameters"],
    labels: &[("pair", "key"), ("pair_pattern", "key"), ("property_signature", "name")],
    results: &["return_statement", "yield_expression"],
    jumps: &["throw_statement", "break_statement", "continue_statement"],
    own: &["this", "super"],
    bases: &["class_heritage", "extends_clause", "extends_type_clause", "implements_clause"],
    is_open: false,
};

static JAVA: Rules = Rules {
    functions: &["method_declaration", "constructor_declaration", "compact_constructor_declaration"],
    classes: &[
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
    ],
    lambdas: &["lambda_expression"],
    variables: &[
        ("field_declaration", "variable_declarator", "name"),
        ("constant_declaration", "variable_declarator", "name"),
        ("enum_constant", "enum_constant", "name"),
    ],
    imports: &[],
    wrappers: &[],
    blocks: &["program", "block", "constructor_body", "class_body", "switch_block_statement_group"],
    names: &["identifier", "type_identifier"],
    members: &[("field_access", "object", "field"), ("method_invocation", "object", "name")],
    elements: &["array_access"],
    calls: &[("method_invocation", "name"), ("object_creation_expression", "type")],
    sets: &[
        ("variable_declarator", "name", false),
        ("assignment_expression", "left", false),
        ("enhanced_for_statement", "name", false),
        ("catch_formal_parameter", "name", false),
    ],
    bound: &["update_expression", "inferred_parameters"],
    parameters: &["formal_parameters"],
    labels: &[("labeled_statement", "label")],
    results: &["return_statement", "yield_statement"],
    jumps: &["throw_statement", "break_statement", "continue_statement", "assert_statement"],
    own: &["this", "super"],
    bases: &["superclass", "super_interfaces", "extends_interfaces"],
    is_open: true,
};

static RUST: Rules = Rules {
    functions: &["function_item", "function_signature_item", "macro_definition"],
    classes: &["struct_item", "enum_item", "union_item", "trait_item", "impl_item", "mod_item"],
    lambdas: &["closure_expression"],
    variables: &[
        ("const_item", "const_item", "name"),
        ("static_item", "static_item", "name"),
        ("type_item", "type_item", "name"),
    ],
    imports: &[],
    wrappers: &[],
    blocks: &["source_file", "block", "declaration_list", "match_block"],
    names: &["identifier", "type_identifier", "field_identifier", "shorthand_field_identifier"],
    members: &[
        ("field_expression", "value", "field"),
        ("scoped_identifier", "path", "name"),
        ("scoped_type_identifier", "path", "name"),
    ],
    elements: &["index_expression"],
    calls: &[("call_expression", "function"), ("macro_invocation", "macro")],
    sets: &[
        ("let_declaration", "pattern", false),
        ("let_condition", "pattern", false),
        ("assignment_expression", "left", false),
        ("compound_assignment_expr", "left", true),
        ("for_expression", "pattern", false),
        ("match_arm", "pattern", false),
    ],
    bound: &[],
    parameters: &["parameters", "closure_parameters"],
    labels: &[("field_declaration", "name"), ("field_initializer", "field")],
    results: &["return_expression"],
    jumps: &["break_expression", "continue_expression"],
    own: &["self", "Self"],
    bases: &[],
    is_open: true,
};

static C: Rules = Rules {
    functions: &["function_definition", "preproc_function_def"],
    classes: &["struct_specifier", "union_specifier", "enum_specifier"],
    lambdas: &[],
    variables: &[
        ("declaration", "declaration", "declarator"),
        ("type_definition", "type_definition", "declarator"),
        ("preproc_def", "preproc_def", "name"),
    ],
    imports: &[],
    wrappers: &[],
    blocks: &["translation_unit", "compound_statement", "case_statement"],
    names: &["identifier", "type_identifier", "field_identifier"],
    members: &[("field_expression", "argument", "field")],
    elements: &["subscript_expression"],
    calls: &[("call_expression", "function")],
    sets: &[
        ("init_declarator", "declarator", false),
        ("declaration", "declarator", false),
        ("assignment_expression", "left", false),
        ("update_expression", "argument", true),
    ],
    bound: &[],
    parameters: &["parameter_list"],
    labels: &[("labeled_statement", "label"), ("goto_statement", "label"), ("field_declaration", "declarator")],
    results: &["return_statement"],
    jumps: &["break_statement", "continue_statement", "goto_statement"],
    own: &[],
    bases: &[],
    is_open: true,
};
