/** Adds calls to a program where definitions start and return, without changing its lines. */

import { type AnyNode, parse } from "acorn";

/** The kind of a program text. */
export type SourceType = "module" | "script";

/** The name of the recorder in the program. */
export const GLOBAL = "__firstbad_facts__";

/**
 * Returns a text with calls of `enter` and `leave` in the functions that `numbered` knows.
 *
 * @throws SyntaxError If the text is not JavaScript.
 */
export function instrumented(text: string, type: SourceType, numbered: (name: string) => number | undefined): string {
  const program = parse(text, {
    ecmaVersion: "latest",
    sourceType: type,
    allowHashBang: true,
    // A CommonJS module is the body of a function.
    allowReturnOutsideFunction: type === "script",
  });
  const edits: Edit[] = [];
  for (const found of definitions(program)) {
    const number = numbered(found.name);
    if (number !== undefined) instrument(found, number, edits);
  }
  // Edits at the same place keep their order.
  edits.sort((one, other) => one.at - other.at || one.rank - other.rank);
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(text.slice(at, edit.at), edit.text);
    at = edit.at;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

type FunctionNode = Extract<
  AnyNode,
  { type: "FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression" }
>;

interface Edit {
  readonly at: number;
  /** At the same place, lower ranks come first: closing before opening. */
  readonly rank: number;
  readonly text: string;
}

/** A function with its qualified name. */
interface Found {
  readonly name: string;
  readonly node: FunctionNode;
  /** Whether it is called on an instance of its class. */
  readonly ofObject: boolean;
  /** Whether `this` exists only after `super`. */
  readonly derived: boolean;
}

/** Returns the functions and methods outside other functions. */
function definitions(program: AnyNode): Found[] {
  const found: Found[] = [];
  const around: [node: AnyNode, prefix: string, derived: boolean][] = [[program, "", false]];
  const add = (name: string, node: AnyNode, ofObject = false, derived = false) => {
    if (isFunction(node)) found.push({ name, node, ofObject, derived });
    else around.push([node, `${name}.`, false]);
  };
  for (let next = around.pop(); next !== undefined; next = around.pop()) {
    const [node, prefix, derived] = next;
    if (isFunction(node)) {
      if (node.type === "FunctionDeclaration" && node.id) add(prefix + node.id.name, node);
    } else if (node.type === "ClassDeclaration" || node.type === "ClassExpression") {
      const inside = node.type === "ClassDeclaration" && node.id ? `${prefix}${node.id.name}.` : prefix;
      around.push([node.body, inside, Boolean(node.superClass)]);
    } else if (node.type === "MethodDefinition" || node.type === "PropertyDefinition") {
      const name = node.computed ? undefined : keyName(node.key);
      const isMade = derived && node.type === "MethodDefinition" && node.kind === "constructor";
      if (name !== undefined && node.value) add(prefix + name, node.value, !node.static, isMade);
    } else if (node.type === "VariableDeclarator" && node.id.type === "Identifier") {
      if (node.init) add(prefix + node.id.name, node.init);
    } else {
      for (const child of children(node)) around.push([child, prefix, derived]);
    }
  }
  return found;
}

function keyName(key: AnyNode): string | undefined {
  if (key.type === "Identifier") return key.name;
  if (key.type === "PrivateIdentifier") return `#${key.name}`;
  return undefined;
}

function instrument({ node, ofObject, derived }: Found, number: number, edits: Edit[]): void {
  const names = node.params.map(parameter).filter((name) => name !== undefined);
  const enter = `${GLOBAL}.enter(${number},${JSON.stringify(names)},[${names.join(",")}])`;
  const open = `${GLOBAL}.leave(${number},(`;
  const own = ofObject ? ",this)" : ")";
  const edit = (at: number, rank: number, text: string) => edits.push({ at, rank, text });
  if (node.body.type !== "BlockStatement") {
    edit(node.body.start, 1, `(${enter},${open}`);
    edit(node.body.end, 0, `)${own})`);
    return;
  }
  const directives = node.body.body.filter((statement) => "directive" in statement && statement.directive);
  edit(directives.at(-1)?.end ?? node.body.start + 1, 0, `;${enter};`);
  for (const { argument, start } of returns(node.body)) {
    // Before `super` there is no `this`.
    const after = derived ? ")" : own;
    if (argument) {
      edit(argument.start, 1, open);
      edit(argument.end, 0, `)${after}`);
    } else {
      edit(start + "return".length, 0, ` ${open}undefined)${after}`);
    }
  }
  edit(node.body.end - 1, 1, `;${open}undefined)${own};`);
}

function parameter(node: AnyNode): string | undefined {
  if (node.type === "AssignmentPattern") return parameter(node.left);
  return node.type === "Identifier" ? node.name : undefined;
}

/** Returns the return statements of a function, without those of nested functions and classes. */
function returns(body: AnyNode) {
  const found = [];
  const around: AnyNode[] = [body];
  for (let node = around.pop(); node !== undefined; node = around.pop()) {
    if (isFunction(node) || node.type === "ClassDeclaration" || node.type === "ClassExpression") continue;
    if (node.type === "ReturnStatement") found.push(node);
    around.push(...children(node));
  }
  return found;
}

function isFunction(node: AnyNode): node is FunctionNode {
  return (
    node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression"
  );
}

/** Returns the child nodes of a node. */
function children(node: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === "object" && child !== null && typeof child.type === "string") found.push(child);
    }
  }
  return found;
}
