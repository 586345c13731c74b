import { z } from 'zod';
import type { Schema } from './values.ts';

/** One call, as the OpenAPI document describes it. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  parameters: { in: 'path' | 'query'; name: string; required: boolean; schema: Schema }[];
  body: { type: 'json' | 'multipart'; schema: Schema } | undefined;
  /** The successful answer: its status, and its schema unless it is a file. */
  success: { status: number; schema: z.ZodType | undefined };
  failure: z.ZodType;
};

type Parameter = Operation['parameters'][number];
type Described = {
  parameters?: (Parameter | { in: 'header' })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
};

type Document = {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object> };
};

/** Reads the calls out of an OpenAPI document. */
export function readOperations({ paths, components }: Document): Operation[] {
  const resolved = resolveReferences(paths, components.schemas) as Document['paths'];
  return Object.entries(resolved).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => readOperation(method, path, described)),
  );
}

/** Returns a part of a document with each reference replaced by its schema. */
function resolveReferences(part: unknown, schemas: Record<string, object>): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((one) => resolveReferences(one, schemas));
  const name = ('$ref' in part ? String(part.$ref) : '').replace('#/components/schemas/', '');
  const entries = Object.entries(schemas[name] ?? part);
  return Object.fromEntries(entries.map(([key, value]) => [key, resolveReferences(value, schemas)]));
}

function readOperation(method: string, path: string, described: Described): Operation {
  const json = described.requestBody?.content['application/json'];
  const form = described.requestBody?.content['multipart/form-data'];
  const status = Object.keys(described.responses).find((code) => code.startsWith('2')) ?? '200';
  return {
    method: method.toUpperCase() as Operation['method'],
    path,
    parameters: (described.parameters ?? []).filter((one): one is Parameter => one.in !== 'header'),
    body: json ? { type: 'json', ...json } : form && { type: 'multipart', ...form },
    success: { status: Number(status), schema: schemaOf(described, status) },
    failure: schemaOf(described, '400') ?? z.never(),
  };
}

function schemaOf({ responses }: Described, status: string): z.ZodType | undefined {
  const schema = responses[status]?.content?.['application/json']?.schema;
  return schema && z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
}
