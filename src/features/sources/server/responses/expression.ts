import jsonata from 'jsonata';

/** A compiled JSONata expression. Returns a promise unless the expression is a plain path. */
export type Expression = (document: object) => unknown;

/**
 * Compiles a JSONata expression over a JSON document. A path of names such as `body.purchase.date` is read directly,
 * because most fields are such a path and JSONata takes several microseconds for each.
 * @throws the parser's error for invalid JSONata
 */
export function compileExpression(text: string): Expression {
  const expression = jsonata(text);
  // Separate bindings, because evaluations run concurrently.
  const evaluate = (document: object): unknown => expression.evaluate(document, {});
  const names = namesOfPath(expression.ast());
  if (!names) return evaluate;
  return (document) => {
    let value: unknown = document;
    for (const name of names) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as Record<string, unknown>)[name];
      // JSONata maps the rest of the path over an array.
      if (Array.isArray(value)) return evaluate(document);
    }
    return value;
  };
}

/** Describes why an expression does not compile or fails on a document: the error, its position and token. */
export function describeExpressionError(error: unknown): string {
  const { message, position, token } = error as { message: string; position?: number; token?: string };
  const places = [
    position !== undefined && `position ${position}`,
    token !== undefined && `token "${token}"`,
  ];
  const known = places.filter((place) => place !== false);
  return known.length === 0 ? message : `${message} (${known.join(', ')})`;
}

/** Returns whether a rule matches, by JSONata's rules of truth. */
export function holds(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holds);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return typeof value === 'function' ? false : Boolean(value);
}

/** Returns the names of a path without filters, sorts or other operators; undefined for any other expression. */
function namesOfPath(node: jsonata.ExprNode): string[] | undefined {
  const hasOnly = (part: object, keys: string[]) => Object.keys(part).every((key) => keys.includes(key));
  const isName = (step: jsonata.ExprNode) =>
    step.type === 'name' && hasOnly(step, ['type', 'value', 'position']);
  if (!hasOnly(node, ['type', 'steps']) || !node.steps?.every(isName)) return undefined;
  return node.steps.map(({ value }) => value as string);
}
