import jsonata from 'jsonata';

/** The longest reading of an answer in milliseconds: it blocks the event loop, on which a worker's heartbeat depends. */
const maxEvaluationMs = 250;
/** Steps between two checks of the clock; they take less than a millisecond. */
const stepsPerLook = 100;
/** Nested steps: more than a person writes, and fewer than exhaust the memory. */
const maxDepth = 500;
/** More values than an answer of 256 KiB has. */
const maxListLength = 200_000;
/** JSONata's errors for too deep steps and too long lists. */
const limitCodes = ['D1011', 'D2014', 'D2015'];

/** An answer takes too long or too many steps to read. The message is for people. */
export class ReadingLimitError extends Error {}

/** The limit of one reading, which its expressions share: functions to call before each step, and after an expression. */
type Limit = { step(): void; look(): void };

/**
 * Creates the limit of one reading. Only the thread's own time counts, so that a busy machine does not matter. Its functions
 * throw ReadingLimitError.
 */
export function limitReading(): Limit {
  const begun = process.threadCpuUsage();
  let steps = 0;
  const look = () => {
    const { user, system } = process.threadCpuUsage(begun);
    if (user + system > maxEvaluationMs * 1000) {
      throw new ReadingLimitError(`reading the answer took more than ${maxEvaluationMs} ms`);
    }
  };
  return {
    look,
    step() {
      steps += 1;
      if (steps % stepsPerLook === 0) look();
    },
  };
}

/** JSONata calls this variable before each step of an evaluation, with its bindings in the environment. */
const beforeStep = Symbol.for('jsonata.__evaluate_entry') as unknown as string;
/** No expression can name it. */
const limitName = 'limit of the reading';

/** A compiled JSONata expression, with the limit of its reading. Returns a promise unless it is a plain path. */
export type Expression = (document: object, limit?: Limit) => unknown;

/**
 * Compiles a JSONata expression over a JSON document. A path of names such as `body.purchase.date` is read directly,
 * because most fields are such a path and JSONata takes several microseconds for each.
 * @throws the parser's error for invalid JSONata; the expression throws ReadingLimitError beyond its limits
 */
export function compileExpression(text: string): Expression {
  const expression = jsonata(text, { stack: maxDepth, sequence: maxListLength });
  expression.assign(beforeStep, (_: unknown, __: unknown, { lookup }: jsonata.Environment) =>
    lookup(limitName).step(),
  );
  // Separate bindings, because evaluations run concurrently.
  const evaluate = async (document: object, limit = limitReading()): Promise<unknown> => {
    try {
      const value = await expression.evaluate(document, { [limitName]: limit });
      // One step, such as a regular expression or `$distinct`, may take long by itself.
      limit.look();
      return value;
    } catch (error) {
      if (!limitCodes.includes((error as { code?: string }).code ?? '')) throw error;
      throw new ReadingLimitError('reading the answer took too many steps');
    }
  };
  const names = namesOfPath(expression.ast());
  if (!names) return evaluate;
  return (document, limit) => {
    let value: unknown = document;
    for (const name of names) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as Record<string, unknown>)[name];
      // JSONata maps the rest of the path over an array.
      if (Array.isArray(value)) return evaluate(document, limit);
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
