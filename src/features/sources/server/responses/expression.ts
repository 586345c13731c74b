import jsonata from 'jsonata';

/** A JSONata expression, compiled once. Answers a promise only where JSONata itself has to work. */
export type Expression = (document: object) => unknown;

/**
 * Compiles a JSONata expression over a JSON document. The plain part of the language (paths, literals, comparisons,
 * and, or, in, conditions) runs as closures, some 50 times as fast as JSONata, which answers all the rest: anything
 * else in the expression, or an array met on the way.
 * @throws the parser's error for a text that is no JSONata
 */
export function compileExpression(text: string): Expression {
  const whole = jsonata(text);
  // Bindings of its own keep evaluations under way at the same time apart.
  const evaluate = (document: object): unknown => whole.evaluate(document, {});
  const quick = compileNode(whole.ast() as Node);
  if (!quick) return evaluate;
  return (document) => {
    const value = quick(document);
    return value === beyond ? evaluate(document) : value;
  };
}

/** Describes why an expression does not compile or fails on a document: what, where in it, and at which token. */
export function describeExpressionError(error: unknown): string {
  const { message, position, token } = error as { message: string; position?: number; token?: string };
  const places = [
    position !== undefined && `position ${position}`,
    token !== undefined && `token "${token}"`,
  ];
  const known = places.filter((place) => place !== false);
  return known.length === 0 ? message : `${message} (${known.join(', ')})`;
}

/** Whether an expression's value makes a rule hold, by JSONata's own notion of truth. */
export function holds(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holds);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return typeof value === 'function' ? false : Boolean(value);
}

type Node = {
  type: string;
  value?: unknown;
  steps?: Node[];
  expressions?: Node[];
  lhs?: Node;
  rhs?: Node;
  condition?: Node;
  then?: Node;
  else?: Node;
};
type Run = (document: object) => unknown;

/** Answered by a closure that met something outside the plain part of the language. */
const beyond = Symbol('beyond the plain part');

/** What each plain node may consist of; any other mark on a node (a filter, a sort, a grouping) is not plain. */
const plainMarks = new Set([
  'type',
  'value',
  'position',
  'steps',
  'expressions',
  'lhs',
  'rhs',
  'condition',
  'then',
  'else',
]);

function compileNode(node: Node): Run | undefined {
  if (!Object.keys(node).every((mark) => plainMarks.has(mark))) return undefined;
  switch (node.type) {
    case 'string':
    case 'number':
    case 'value':
      return () => node.value;
    case 'path':
      return compilePath(node.steps ?? []);
    case 'block':
      return node.expressions?.length === 1 && node.expressions[0]
        ? compileNode(node.expressions[0])
        : undefined;
    case 'condition':
      return compileCondition(node);
    case 'binary':
      return compileBinary(node);
    case 'unary':
      return node.value === '[' ? compileList(node.expressions ?? []) : undefined;
    default:
      return undefined;
  }
}

function compilePath(steps: Node[]): Run | undefined {
  const names: string[] = [];
  for (const step of steps) {
    const plain = step.type === 'name' && Object.keys(step).every((mark) => plainMarks.has(mark));
    if (!plain || typeof step.value !== 'string') return undefined;
    names.push(step.value);
  }
  return (document) => {
    let value: unknown = document;
    for (const name of names) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as Record<string, unknown>)[name];
      if (Array.isArray(value)) return beyond;
    }
    return value;
  };
}

/** A list of literals, as it stands behind `in`. */
function compileList(items: Node[]): Run | undefined {
  const literal = (item: Node) => ['string', 'number', 'value'].includes(item.type);
  if (items.length < 2 || !items.every((item) => literal(item) && compileNode(item))) return undefined;
  const list = items.map((item) => item.value);
  return () => list;
}

function compileCondition(node: Node): Run | undefined {
  const condition = node.condition && compileNode(node.condition);
  const then = node.then && compileNode(node.then);
  const otherwise = node.else ? compileNode(node.else) : () => undefined;
  if (!condition || !then || !otherwise) return undefined;
  return (document) => {
    const truth = condition(document);
    if (isComposite(truth)) return beyond;
    return truth ? then(document) : otherwise(document);
  };
}

function compileBinary(node: Node): Run | undefined {
  const left = node.lhs?.type ? compileNode(node.lhs) : undefined;
  const right = node.rhs?.type ? compileNode(node.rhs) : undefined;
  if (!left || !right) return undefined;
  switch (node.value) {
    case '=':
    case '!=':
      return compileEquality(left, right, node.value === '=');
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compileComparison(left, right, node.value);
    case 'and':
    case 'or':
      return compileLogic(left, right, node.value === 'and');
    case 'in':
      return compileMembership(left, right);
    default:
      return undefined;
  }
}

function compileEquality(left: Run, right: Run, equal: boolean): Run {
  return (document) => {
    const a = left(document);
    const b = right(document);
    if (isComposite(a) || isComposite(b)) return beyond;
    return a === undefined || b === undefined ? false : (a === b) === equal;
  };
}

function compileComparison(left: Run, right: Run, operator: '<' | '<=' | '>' | '>='): Run {
  return (document) => {
    const a = left(document);
    const b = right(document);
    // Where the two cannot be compared JSONata has an error to throw.
    if (
      !(typeof a === 'number' && typeof b === 'number') &&
      !(typeof a === 'string' && typeof b === 'string')
    )
      return beyond;
    if (operator === '<') return a < b;
    if (operator === '<=') return a <= b;
    return operator === '>' ? a > b : a >= b;
  };
}

function compileLogic(left: Run, right: Run, both: boolean): Run {
  return (document) => {
    const a = left(document);
    if (isComposite(a)) return beyond;
    if (Boolean(a) !== both) return !both;
    const b = right(document);
    return isComposite(b) ? beyond : Boolean(b);
  };
}

function compileMembership(left: Run, right: Run): Run {
  return (document) => {
    const item = left(document);
    const list = right(document);
    if (isComposite(item) || (isComposite(list) && !Array.isArray(list))) return beyond;
    if (item === undefined || list === undefined) return false;
    return Array.isArray(list) ? list.includes(item) : item === list;
  };
}

/** Not a plain value: a list, an object, or `beyond` itself. */
function isComposite(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || value === beyond;
}
