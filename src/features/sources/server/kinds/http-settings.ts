import { z } from 'zod';
import { isLoopbackHost } from '#server/egress/addresses.ts';
import { compileExpression, describeExpressionError } from '../responses/expression.ts';
import { findPlaceholderMistakes } from './placeholders.ts';

const expression = z.string().check(({ value, issues }) => {
  try {
    compileExpression(value);
  } catch (error) {
    const message = `takes a JSONata expression: ${describeExpressionError(error)}`;
    issues.push({ code: 'custom', input: value, message });
  }
});

/**
 * Returns the problem of a target, if it has one. The host must be literal, because no serial or secret may choose it.
 */
function findTargetProblem(text: string): string | undefined {
  const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (authority === undefined || !URL.canParse(text)) return 'takes a URL';
  if (/[{}$]/.test(authority)) return 'takes a URL whose host is literal';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'takes a URL without user and password';
  if (url.protocol === 'https:') return undefined;
  const loopback = url.protocol === 'http:' && isLoopbackHost(url.hostname);
  return loopback ? undefined : 'takes an https: URL; http: only on loopback';
}

/** The URL of a source: `https:` with a literal host; `http:` only on loopback. */
export const target = z.string().check(({ value, issues }) => {
  const problem = findTargetProblem(value);
  if (problem) issues.push({ code: 'custom', input: value, message: problem });
});

const texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

const request = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).default('GET'),
    url: target,
    query: texts.default({}),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'takes header names'), z.string())
      .default({}),
    json: z.json().optional(),
    form: texts.optional(),
    timeout_ms: z.int().min(1).max(300_000).default(30_000),
  })
  .refine(({ json, form }) => json === undefined || form === undefined, 'takes json or form, not both')
  .refine(
    ({ method, json, form }) => method !== 'GET' || (json === undefined && form === undefined),
    'takes json or form only with another method than GET',
  );

const fields = z.strictObject({
  type: expression.optional(),
  activation_status: expression.optional(),
  purchase_date: expression.optional(),
  warranty_title: expression.optional(),
  coverage_start_date: expression.optional(),
  coverage_end_date: expression.optional(),
});

/** The additional settings of entries of kind `http`. */
export const httpSettings = z
  .object({
    request,
    outcomes: z
      .array(
        z.strictObject({
          if: expression,
          then: z.enum(['found', 'not_found', 'invalid', 'pending', 'throttled', 'retry', 'auth', 'quota']),
        }),
      )
      .default([]),
    fields,
    poll: z
      .strictObject({
        url: target,
        id: expression,
        every_ms: z.int().min(1).max(3_600_000).default(2000),
        max: z.int().min(1).max(10_000).default(30),
      })
      .optional(),
  })
  .check(({ value, issues }) => {
    const pends = value.outcomes.some((rule) => rule.then === 'pending');
    if (pends && !value.poll) {
      issues.push({
        code: 'custom',
        path: ['poll'],
        input: value,
        message: 'is needed by an outcome that is pending',
      });
    }
    for (const mistake of findPlaceholderMistakes(value)) {
      issues.push({ code: 'custom', input: value, ...mistake });
    }
  });

export type HttpSettings = z.infer<typeof httpSettings>;
