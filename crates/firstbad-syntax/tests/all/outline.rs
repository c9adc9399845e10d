//! Outlines of source texts.

use std::collections::BTreeSet;

use firstbad_syntax::{Kind, LARGEST_TEXT, Language, Outline, Target, Unread, Way, flows, outline};

const PYTHON: &str = r#"
"""A shop."""
import os.path
from .prices import price as cost, Price
from lib import *

RATE, BASE = 2, 3
TABLE = {
    # a comment
    "tea": RATE,

    "milk": 1,
}

class Order(Price, base.Thing):
    """One."""
    count = 0

    @property
    def total(self):
        self._seen = True
        return self.sum(rate=RATE) + self._seen

    def sum(self, rate, *more, start: int = BASE):
        found = start
        for item in self.items:
            if item.free:
                continue
            found += cost(item, rate)
        log(found)
        def inner(x):
            return x
        return found

if os.path.exists("x"):
    def late():
        global RATE
        RATE = 3
main()
"#;

fn read(path: &str, text: &str) -> Outline {
    let found = outline(path, text.as_bytes()).unwrap();
    assert_eq!(found.broken_at, None, "{path}");
    found
}

fn names(found: &Outline) -> Vec<(&str, Kind)> {
    found.definitions.iter().map(|own| (own.name.as_str(), own.kind)).collect()
}

fn uses<'a>(found: &'a Outline, name: &str, way: Way) -> BTreeSet<&'a str> {
    let own = &found.definitions[found.definition(name).unwrap()];
    own.uses.iter().filter(|used| used.way == way).map(|used| used.name.as_str()).collect()
}

fn set<'a>(names: &[&'a str]) -> BTreeSet<&'a str> {
    names.iter().copied().collect()
}

#[test]
fn outlines_python() {
    let found = read("shop/orders.py", PYTHON);
    use Kind::{Attribute, Class, Function, Import, Module, Variable};
    let expected = [
        ("<module>", Module),
        ("os", Import),
        ("cost", Import),
        ("Price", Import),
        ("RATE", Variable),
        ("BASE", Variable),
        ("TABLE", Variable),
        ("Order", Class),
        ("Order.count", Variable),
        ("Order.total", Function),
        ("Order.sum", Function),
        ("late", Function),
        ("Order._seen", Attribute),
    ];
    assert_eq!(names(&found), expected);
    assert_eq!(uses(&found, "Order.sum", Way::Bare), set(&["BASE", "cost", "int", "log"]));
    assert_eq!(uses(&found, "Order.sum", Way::Own), set(&["items"]));
    assert_eq!(uses(&found, "Order.sum", Way::Member), set(&["free"]));
    assert_eq!(uses(&found, "Order.total", Way::Bare), set(&["RATE", "property"]));
    assert_eq!(uses(&found, "late", Way::Bare), set(&[]));
    assert_eq!(uses(&found, "cost", Way::Imported), set(&["price", "Price"]));
    assert_eq!(uses(&found, "cost", Way::Module), set(&["prices"]));
    assert_eq!(uses(&found, "<module>", Way::Bare), set(&["main", "os"]));
    let order = &found.definitions[found.definition("Order").unwrap()];
    assert_eq!(order.bases, set(&["Price", "base"]).into_iter().map(str::to_owned).collect());
    assert_eq!(found.definitions[found.definition("Order.sum").unwrap()].parameters, ["rate", "more", "start"]);
    assert!(found.is_open, "it imports everything from somewhere");
}

#[test]
fn owner_is_the_innermost_definition() {
    let found = read("a.py", PYTHON);
    let at = |text: &str| PYTHON.lines().position(|line| line.contains(text)).unwrap() as u32 + 1;
    let owner = |text: &str| found.definitions[found.owner(at(text))].name.as_str();
    assert_eq!(owner("A shop"), "<module>");
    assert_eq!(owner("a comment"), "TABLE");
    assert_eq!(owner("RATE, BASE"), "RATE");
    assert_eq!(owner("One."), "Order");
    assert_eq!(owner("@property"), "Order.total");
    assert_eq!(owner("return x"), "Order.sum");
    assert_eq!(owner("RATE = 3"), "late");
    assert_eq!(owner("main()"), "<module>");
}

#[test]
fn a_covered_statement_counts_with_all_its_lines() {
    let found = read("a.py", PYTHON);
    let at = |text: &str| PYTHON.lines().position(|line| line.contains(text)).unwrap() as u32 + 1;
    let running = |texts: &[&str]| -> BTreeSet<&str> {
        let lines: Vec<u32> = texts.iter().map(|text| at(text)).collect();
        found.running(&lines).into_iter().map(|own| found.definitions[own].name.as_str()).collect()
    };
    assert_eq!(running(&["TABLE = {"]), set(&["TABLE"]));
    // One statement defines both names.
    assert_eq!(running(&["RATE, BASE"]), set(&["RATE", "BASE"]));
    // Defining a function does not run it.
    assert_eq!(running(&["def total"]), set(&[]));
    assert_eq!(running(&["found = start"]), set(&["Order.sum"]));
    assert_eq!(running(&["\"milk\""]), set(&["TABLE"]));
}

#[test]
fn values_depend_only_on_code() {
    let value = |text: &str, name: &str| {
        let found = read("a.py", text);
        found.definitions[found.definition(name).unwrap()].value
    };
    let plain = "def f(x):\n    if x:\n        x = 1\n    return x\n";
    let same = "# so\ndef f(x):  # it\n\n    if x:\n      x = 1 # is\n    return  x\n";
    assert_eq!(value(plain, "f"), value(same, "f"));
    assert_eq!(value(plain, "<module>"), value("import os\ndef g(): pass\nX = 2\n", "<module>"));
    for other in [
        plain.replace("x = 1", "x = 2"),
        plain.replace("    return", "        return"),
        plain.replace("(x)", "(x, y=2)"),
        plain.replace("def f", "@cached\ndef f"),
        plain.replace("x = 1", "x = '1'"),
    ] {
        assert_ne!(value(plain, "f"), value(&other, "f"), "{other}");
    }
    let text = |inner: &str| format!("def f():\n    return 'a\\n{inner}'\n");
    assert_ne!(value(&text("b"), "f"), value(&text("c"), "f"), "what stands beside an escape");
}

const JAVASCRIPT: &str = r#"
import tea, { milk as cow } from "./things/index.js";
import * as all from "../lib/util.mjs";
const path = require("./paths");
export const rate = 2;
const table = { add(x) { return x + rate; } };
export function total(order, { discount = rate }) {
  return order.items.map((item) => item.price * discount);
}
class Order extends Base {
  #count = 0;
  static make() { return new Order(); }
  constructor() { super(); this.items = []; }
  get size() { return this.items.length; }
}
const arrow = (a) => a + cow;
exports.named = function (x) { return tea(x); };
Order.prototype.late = function () { return this.size; };
total(1);
"#;

#[test]
fn outlines_javascript() {
    let found = read("src/shop.js", JAVASCRIPT);
    use Kind::{Attribute, Class, Function, Import, Module, Variable};
    let expected = [
        ("<module>", Module),
        ("tea", Import),
        ("cow", Import),
        ("all", Import),
        ("path", Variable),
        ("rate", Variable),
        ("table", Variable),
        ("table.add", Function),
        ("total", Function),
        ("Order", Class),
        ("Order.#count", Variable),
        ("Order.make", Function),
        ("Order.constructor", Function),
        ("Order.size", Function),
        ("arrow", Function),
        ("named", Function),
        ("Order.late", Function),
        ("Order.items", Attribute),
    ];
    assert_eq!(names(&found), expected);
    assert_eq!(uses(&found, "total", Way::Bare), set(&["rate"]));
    assert_eq!(uses(&found, "total", Way::Member), set(&["items", "map", "price"]));
    assert_eq!(uses(&found, "tea", Way::Module), set(&["things"]));
    assert_eq!(uses(&found, "all", Way::Module), set(&["util"]));
    assert_eq!(uses(&found, "path", Way::Module), set(&["paths"]));
    assert_eq!(uses(&found, "arrow", Way::Bare), set(&["cow"]));
    assert_eq!(uses(&found, "Order.size", Way::Own), set(&["items"]));
    assert!(found.definitions[found.definition("Order").unwrap()].bases.contains("Base"));
    assert_eq!(uses(&found, "<module>", Way::Bare), set(&["total"]));
}

/// The example in Figure 2a of the paper, in Python.
fn g(s: &str) -> String {
    format!(
        "class B:\n    def g(self, u):\n        z = self.h({s})\n        w = self.k()\n        if u:\n            z = self.m()\n        log(w)\n        return z\n"
    )
}

fn changed(before: &str, after: &str, target: Target<'_>) -> bool {
    let (one, other) = (read("a.py", before), read("a.py", after));
    let of = |found: &Outline| found.definition("B.g").unwrap();
    flows(Some((&one, of(&one))), Some((&other, of(&other))), target)
}

#[test]
fn changes_that_flow_into_the_result_are_found() {
    let plain = g("1");
    for into in ["self.h(1)", "self.m()", "if u", "return z"] {
        let to = into
            .replace("(1)", "(2)")
            .replace("m()", "n()")
            .replace("if u", "if not u")
            .replace("return z", "return -z");
        assert!(changed(&plain, &plain.replace(into, &to), Target::Result), "{into}");
    }
    let beside = plain.replace("log(w)", "log(w, w)");
    assert!(!changed(&plain, &beside, Target::Result), "what is only written down");
    assert!(!changed(&plain, &plain.replace("self.k()", "self.l()"), Target::Result));
    assert!(changed(&plain, &plain.replace("g(self, u)", "g(self, u=1)"), Target::Result), "its head");
    // A removed statement counts as it was before.
    assert!(changed(&plain, &plain.replace("        if u:\n            z = self.m()\n", ""), Target::Result));
    // A call such as `append` changes its object.
    let list = "class B:\n    def g(self):\n        found = []\n        found.append(1)\n        return found\n";
    assert!(changed(list, &list.replace("append(1)", "append(2)"), Target::Result));
}

#[test]
fn changes_that_flow_into_arguments_and_attributes_are_found() {
    let text =
        "class B:\n    def g(self):\n        a = one()\n        b = two()\n        f(a, key=b)\n        self.x = b\n";
    let argument = |name, place| Target::Argument { call: "f", name, place };
    let one = text.replace("one()", "three()");
    let two = text.replace("two()", "three()");
    assert!(changed(text, &one, argument("first", Some(0))));
    assert!(!changed(text, &two, argument("first", Some(0))));
    assert!(changed(text, &two, argument("key", Some(1))));
    assert!(!changed(text, &one, argument("key", Some(1))));
    assert!(changed(text, &one, argument("unknown", None)), "it may be any of them");
    assert!(changed(text, &two, Target::Attribute("x")));
    assert!(!changed(text, &one, Target::Attribute("x")));
}

#[test]
fn texts_without_a_grammar_have_no_outline() {
    assert_eq!(outline("a.txt", b"").unwrap_err(), Unread::Unknown);
    assert_eq!(outline("Makefile", b"").unwrap_err(), Unread::Unknown);
    assert!(matches!(outline("a.py", &vec![b' '; LARGEST_TEXT + 1]), Err(Unread::Refused(_))));
    for language in [Language::TypeScript, Language::Java, Language::Rust, Language::C] {
        let path = match language {
            Language::TypeScript => "a.ts",
            Language::Java => "A.java",
            Language::Rust => "a.rs",
            _ => "a.c",
        };
        let found = outline(path, b"");
        match language.is_there() {
            true => assert!(found.is_ok(), "{path}"),
            false => assert_eq!(found.unwrap_err(), Unread::Missing(language)),
        }
        assert!(language.missing().contains(language.feature().unwrap()));
    }
}

#[test]
fn syntax_errors_have_a_line() {
    let found = outline("a.py", b"x = 1\ndef f(:\n    return 1\n").unwrap();
    assert_eq!(found.broken_at, Some(2));
    assert!(outline("a.py", &[0xff, 0xfe, b'\n', b'x']).is_ok());
}

#[cfg(feature = "java")]
#[test]
fn outlines_java() {
    let text = "import java.util.List;\nclass B extends A {\n  int x = 2, y;\n  int g() { int z = h(s); if (lib.on()) z = m(); return z; }\n  int m() { return y; }\n}\n";
    let found = read("B.java", text);
    let all: Vec<&str> = names(&found).into_iter().map(|(name, _)| name).collect();
    assert_eq!(all, ["<module>", "B", "B.x", "B.y", "B.g", "B.m"]);
    assert_eq!(uses(&found, "B.g", Way::Bare), set(&["h", "lib", "m", "s"]));
    assert!(found.definitions[1].bases.contains("A"));
}

#[cfg(feature = "rust")]
#[test]
fn outlines_rust() {
    let text = "use a::B;\nconst X: u8 = 1;\nstruct P { x: u8 }\nimpl P {\n  fn g(&self) -> u8 { let z = self.x; helper(z) }\n}\nfn helper(v: u8) -> u8 { v + X }\n";
    let found = read("p.rs", text);
    let all: Vec<&str> = names(&found).into_iter().map(|(name, _)| name).collect();
    assert_eq!(all, ["<module>", "X", "P", "P.g", "helper"]);
    assert_eq!(uses(&found, "helper", Way::Bare), set(&["X"]));
    assert!(uses(&found, "P.g", Way::Bare).contains("helper"));
}

#[cfg(feature = "c")]
#[test]
fn outlines_c() {
    let text = "#include \"lib/util.h\"\n#define LIMIT 3\nstatic int seen, most = LIMIT;\nstruct point { int x; };\nint *get(struct point *p) { seen = p->x; return total(p->x); }\n";
    let found = read("a.c", text);
    let all: Vec<&str> = names(&found).into_iter().map(|(name, _)| name).collect();
    assert_eq!(all, ["<module>", "LIMIT", "seen", "most", "point", "get"]);
    assert!(uses(&found, "get", Way::Bare).contains("total"));
    assert_eq!(uses(&found, "<module>", Way::Module), set(&["util"]));
}
