import { readFile } from 'node:fs/promises';
import { parse } from '@swc/core';

/** One small change of a file: the bytes from `start` to `end` become `text`. */
export type Mutant = { path: string; line: number; start: number; end: number; before: string; text: string };

type Node = { type?: string; span?: { start: number; end: number }; [key: string]: unknown };

const swaps: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/** Words of SQL whose change is another statement. */
const sqlSwaps: [RegExp, string][] = [
  [/ AND /g, ' OR '],
  [/ OR /g, ' AND '],
  [/ = \$/g, ' <> $'],
  [/ >= /g, ' > '],
  [/ <= /g, ' < '],
  [/ DESC\b/g, ' ASC'],
  [/ FOR (NO KEY )?UPDATE/g, ''],
  [/IS NOT NULL/g, 'IS NULL'],
  [/ \+ 1\b/g, ''],
];

/** Parts that no test of behaviour can notice, or that name modules. */
const skipped = new Set([
  'ImportDeclaration',
  'TsTypeAliasDeclaration',
  'TsInterfaceDeclaration',
  'ExportAllDeclaration',
]);

/** Every change that this command knows for one file, in the order of the file. */
export async function findMutants(path: string, root: string): Promise<Mutant[]> {
  // The statement in front makes the parser's first offset that of the file, less its one byte.
  const source = Buffer.from(await readFile(`${root}${path}`, 'utf8'));
  const module = (await parse(`;${source}`, { syntax: 'typescript', target: 'es2024' })) as unknown as Node;
  const base = (module.span?.start ?? 0) + 1;
  const mutants: Mutant[] = [];
  const add = (start: number, end: number, text: string) => {
    const before = source.subarray(start, end).toString();
    const line = source.subarray(0, start).toString().split('\n').length;
    if (before !== text) mutants.push({ path, line, start, end, before, text });
  };
  const walk = (node: Node) => {
    if (node.type && skipped.has(node.type)) return;
    mutate(node, source, base, add);
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) for (const item of value) isNode(item) && walk(item);
      else if (isNode(value)) walk(value);
    }
  };
  walk(module);
  return mutants;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function mutate(
  node: Node,
  source: Buffer,
  base: number,
  add: (start: number, end: number, text: string) => void,
): void {
  const at = (part: unknown): [number, number] => {
    const span = (part as Node).span ?? { start: base, end: base };
    return [span.start - base, span.end - base];
  };
  const textOf = (part: unknown) => source.subarray(...at(part)).toString();
  if (!node.span) return;
  const [start, end] = at(node);
  if (node.type === 'BinaryExpression') {
    const swapped = swaps[node.operator as string];
    const [, leftEnd] = at(node.left);
    const [rightStart] = at(node.right);
    const between = source.subarray(leftEnd, rightStart).toString();
    if (swapped) add(leftEnd, rightStart, between.replace(node.operator as string, swapped));
  }
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
    add(...at(node.test), `!(${textOf(node.test)})`);
  }
  if (node.type === 'NumericLiteral') add(start, end, String((node.value as number) + 1));
  if (node.type === 'BooleanLiteral') add(start, end, String(!node.value));
  if (node.type === 'ExpressionStatement') {
    const called = node.expression as Node;
    const call = called.type === 'AwaitExpression' ? (called.argument as Node) : called;
    if (call.type === 'CallExpression') add(start, end, ';');
  }
  if (node.type === 'TemplateElement' || node.type === 'StringLiteral') {
    const text = source.subarray(start, end).toString();
    if (!/\b(SELECT|UPDATE|INSERT|DELETE|WHERE|ORDER BY)\b/.test(text)) return;
    for (const [word, other] of sqlSwaps) {
      for (const match of text.matchAll(word)) {
        const from = start + Buffer.byteLength(text.slice(0, match.index));
        add(from, from + Buffer.byteLength(match[0]), other);
      }
    }
  }
}
