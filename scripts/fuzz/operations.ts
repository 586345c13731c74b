import { z } from 'zod';
import type { Schema } from './values.ts';

/** One call as the API's own description tells it. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  parameters: { in: 'path' | 'query'; name: string; required: boolean; schema: Schema }[];
  body: { type: 'json' | 'multipart'; schema: Schema } | undefined;
  /** The answer of a success: its status, and its schema unless it is a file. */
  success: { status: number; schema: z.ZodType | undefined };
  failure: z.ZodType;
};

type Described = {
  parameters?: Operation['parameters'];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
};

/** Reads the calls out of an OpenAPI document. */
export function readOperations(document: { paths: Record<string, Record<string, Described>> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => readOperation(method, path, described)),
  );
}

function readOperation(method: string, path: string, described: Described): Operation {
  const json = described.requestBody?.content['application/json'];
  const form = described.requestBody?.content['multipart/form-data'];
  const status = Object.keys(described.responses).find((code) => code.startsWith('2')) ?? '200';
  return {
    method: method.toUpperCase() as Operation['method'],
    path,
    parameters: described.parameters ?? [],
    body: json ? { type: 'json', ...json } : form && { type: 'multipart', ...form },
    success: { status: Number(status), schema: schemaOf(described, status) },
    failure: schemaOf(described, '4XX') ?? z.never(),
  };
}

function schemaOf({ responses }: Described, status: string): z.ZodType | undefined {
  const schema = responses[status]?.content?.['application/json']?.schema;
  return schema && z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
}
