import type { FastifySerializerCompiler } from 'fastify';
import { z } from 'zod';

/** Takes of a value what its schema names; throws where the value is none of it. */
type Pick = (value: unknown) => unknown;

type Def = { type: string; checks?: unknown[]; coerce?: boolean; catchall?: unknown };

/**
 * Makes, once for each schema, what writes answers by it: only what the schema names leaves the server, and an answer that
 * is otherwise than documented fails. What has no short form here is left to zod.
 */
export const compileAnswer: FastifySerializerCompiler<z.ZodType | { properties: z.ZodType }> = ({
  schema,
}) => {
  const pick = compile('properties' in schema ? schema.properties : schema);
  return (answer) => JSON.stringify(pick(answer));
};

function compile(schema: z.ZodType): Pick {
  const def = schema.def as unknown as Def;
  const isBare = (def.checks ?? []).length === 0 && !def.coerce;
  if (schema instanceof z.ZodObject && def.catchall === undefined && isBare) return compileObject(schema);
  if (schema instanceof z.ZodArray && isBare) return compileArray(schema);
  if (schema instanceof z.ZodNullable) {
    const pick = compile(schema.unwrap() as z.ZodType);
    return (value) => (value === null ? null : pick(value));
  }
  if (schema instanceof z.ZodOptional) {
    const pick = compile(schema.unwrap() as z.ZodType);
    return (value) => (value === undefined ? undefined : pick(value));
  }
  const takes = isBare || schema.def.type === 'number' ? findTest(schema) : undefined;
  if (!takes) return (value) => schema.parse(value);
  // Zod says best what is wrong.
  return (value) => (takes(value) ? value : schema.parse(value));
}

function compileObject(schema: z.ZodObject): Pick {
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => [name, compile(field as z.ZodType)] as const,
  );
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return schema.parse(value);
    const picked: Record<string, unknown> = {};
    for (const [name, pick] of fields) picked[name] = pick((value as Record<string, unknown>)[name]);
    return picked;
  };
}

function compileArray(schema: z.ZodArray): Pick {
  const pick = compile(schema.element as z.ZodType);
  return (value) => (Array.isArray(value) ? value.map(pick) : schema.parse(value));
}

/** Whether a value is one of a simple schema; undefined where that is not simple to say. */
function findTest(schema: z.ZodType): ((value: unknown) => boolean) | undefined {
  if (schema instanceof z.ZodString) return (value) => typeof value === 'string';
  if (schema instanceof z.ZodBoolean) return (value) => typeof value === 'boolean';
  if (schema instanceof z.ZodEnum) {
    const options = new Set<unknown>(schema.options);
    return (value) => options.has(value);
  }
  if (schema instanceof z.ZodNumber && (schema.def.checks ?? []).length === 0) {
    return schema.format === 'safeint'
      ? Number.isSafeInteger
      : schema.format === null
        ? Number.isFinite
        : undefined;
  }
  return undefined;
}
