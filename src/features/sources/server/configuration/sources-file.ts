import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { type Config, ConfigError } from '#server/runtime/config.ts';
import { ownValue } from '#shared/own-value.ts';
import { namesOfSecrets } from './secrets.ts';
import { type KeyMaterial, keyMaterialOf, keyOfAnswers, keyOfSource } from './source-keys.ts';
import type { SourceEntry, SourceKind } from './source-kind.ts';

/** A configured source: its entry in the file, the key of its state, and the key of its cached answers. */
export type ConfiguredSource = SourceEntry & { raw: object; key: string; cacheKey: string };

/** The sources without SOURCES_FILE. */
const builtIn = { sources: [{ name: 'sandbox', label: 'Sandbox', kind: 'sandbox' }] };

/**
 * Reads the configured sources, in the order in which they are asked.
 * @throws ConfigError with one line per mistake, each naming its path in the file
 */
export async function loadSources(
  config: Pick<Config, 'SOURCES_FILE' | 'APP_TIMEZONE'>,
  kinds: SourceKind[],
  env: Record<string, string | undefined>,
): Promise<ConfiguredSource[]> {
  const material = keyMaterialOf(config, env);
  if (config.SOURCES_FILE === undefined) return readSources(builtIn, kinds, env, material);
  let document: unknown;
  try {
    document = JSON.parse(await readFile(config.SOURCES_FILE, 'utf8'));
  } catch (error) {
    throw new ConfigError([`SOURCES_FILE takes a JSON file that can be read: ${(error as Error).message}`]);
  }
  return readSources(document, kinds, env, material);
}

/**
 * Reads the configured sources as `loadSources` does, for their mistakes alone: without SECRETS_KEY their keys mean nothing.
 * @throws ConfigError, see `loadSources`
 */
export function checkSources(
  config: Pick<Config, 'SOURCES_FILE' | 'APP_TIMEZONE'>,
  kinds: SourceKind[],
  env: Record<string, string | undefined>,
): Promise<SourceEntry[]> {
  return loadSources(config, kinds, { ...env, SECRETS_KEY: 'none' });
}

/**
 * Checks a document of the file's shape.
 * @throws ConfigError, see `loadSources`
 */
export function readSources(
  document: unknown,
  kinds: SourceKind[],
  env: Record<string, string | undefined>,
  material: KeyMaterial = { env, timezone: 'UTC', secret: '' },
): ConfiguredSource[] {
  const list = (document as { sources?: unknown } | null)?.sources;
  if (!Array.isArray(list) || list.length === 0) {
    throw new ConfigError(['SOURCES_FILE sources: takes a list of one source or more']);
  }
  const problems: string[] = [];
  const found = list.flatMap((raw: unknown, index) => {
    const entry = readEntry(raw, `sources[${index}]`, kinds, material, problems);
    return entry ? [entry] : [];
  });
  for (const [index, entry] of found.entries()) {
    if (found.findIndex(({ name }) => name === entry.name) < index) {
      problems.push(`sources[${index}].name: ${entry.name} is used twice`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => `SOURCES_FILE ${problem}`));
  return found;
}

function readEntry(
  raw: unknown,
  path: string,
  kinds: SourceKind[],
  material: KeyMaterial,
  problems: string[],
): ConfiguredSource | undefined {
  const name = (raw as { kind?: unknown } | null)?.kind;
  const kind = kinds.find((known) => known.kind === name);
  if (!kind) {
    problems.push(`${path}.kind: takes one of ${kinds.map((known) => known.kind).join(', ')}`);
    return undefined;
  }
  const read = kind.read(raw);
  if (!read.success) {
    problems.push(...read.error.issues.map((issue) => `${pathOf(issue, path)}: ${issue.message}`));
    return undefined;
  }
  // A disabled entry is a template, so its secrets may be missing.
  if (read.data.enabled) problems.push(...findMissingSecrets(raw, path, material.env));
  const entry = raw as object;
  return Object.assign(read.data, {
    raw: entry,
    key: keyOfSource(entry),
    cacheKey: keyOfAnswers(entry, material),
  });
}

function pathOf(issue: z.core.$ZodIssue, path: string): string {
  return issue.path.reduce<string>(
    (text, step) => text + (typeof step === 'number' ? `[${step}]` : `.${String(step)}`),
    path,
  );
}

function findMissingSecrets(value: unknown, path: string, env: Record<string, string | undefined>): string[] {
  if (typeof value === 'string') {
    return namesOfSecrets(value)
      .filter((name) => !ownValue(env, name)?.trim())
      .map((name) => `${path}: ${name} is not set in the environment, or is empty`);
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    findMissingSecrets(part, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`, env),
  );
}
