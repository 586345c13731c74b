import { z } from 'zod';
import { serialKind } from '#features/sources/sources.contract.ts';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import type { Text } from '#server/http/errors/errors.ts';
import { timezone } from '#server/runtime/config.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Secrets } from './secrets.ts';
import type { OpenedSource, SourceTools } from './source.ts';

const limits = z
  .strictObject({
    /** The maximum of calls that start in any second; below 1, one call in 1 / per_second seconds. */
    per_second: z.number().min(0.001).max(100_000).optional(),
    /** The maximum of calls in flight. */
    concurrency: z.int().min(1).max(10_000).optional(),
    per_proxy_per_second: z.number().min(0.001).max(100_000).optional(),
    per_proxy_concurrency: z.int().min(1).max(1000).optional(),
  })
  .default({});

/** The settings of every entry of SOURCES_FILE. */
const common = {
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'takes up to 64 letters, digits, dashes and underscores'),
  label: z.string().min(1).max(100).optional(),
  enabled: z.boolean().default(true),
  /** The time zone of days that an answer gives as instants; APP_TIMEZONE by default. */
  time_zone: timezone.optional(),
  accepts: z.array(serialKind).min(1).default(['imei', 'meid', 'serial']),
};

/** The additional settings of sources that are asked over a network. */
const remote = {
  limits,
  attempts: z.int().min(1).max(100).default(5),
};

type Common = z.infer<z.ZodObject<typeof common>>;
type Remote = z.infer<z.ZodObject<typeof remote>>;
export type Limits = z.infer<typeof limits>;

/** A list of devices that a superadmin uploads. */
type Registry = {
  /** Returns undefined before the first upload. */
  read(db: Db, source: string): Promise<{ devices: number; uploaded_at: Date } | undefined>;
  /** Replaces the whole list by a workbook on disk. @throws AppError for an unusable workbook */
  replace(
    context: Pick<Context, 'config' | 'db' | 'databaseUrl'>,
    caller: Caller,
    entry: Pick<SourceEntry, 'name' | 'timeZone'>,
    path: string,
    signal: AbortSignal,
  ): Promise<RegistryImport>;
};

/** The result of an upload. `rejected` holds the first 100 rows. */
export type RegistryImport = {
  imported: number;
  rejectedCount: number;
  rejected: { row: number; reason: Text }[];
};

/** A checked entry of SOURCES_FILE. */
export type SourceEntry = {
  name: string;
  label: string;
  kind: string;
  enabled: boolean;
  /** Undefined: APP_TIMEZONE. */
  timeZone: string | undefined;
  accepts: Common['accepts'];
  egress: 'direct' | 'proxies';
  limits: Limits;
  attempts: number;
  /** Whether it is asked over a network, so that limits, pace, cache and health apply. */
  remote: boolean;
  /** Whether its answers are made up. */
  simulated: boolean;
  registry: Registry | undefined;
  /** Returns when its client certificate ends; undefined for kinds without one. */
  findCredentialsEnd: ((secrets: Secrets) => Promise<Date>) | undefined;
  /** Reads the files that its settings name, as `open` does. @throws ConfigError if one cannot be used */
  requireFiles(secrets: Secrets): Promise<void>;
  open(tools: SourceTools): Promise<OpenedSource>;
};

/** A kind of source, as the reader of SOURCES_FILE uses it. */
export type SourceKind = {
  kind: string;
  read(raw: unknown): { success: true; data: SourceEntry } | { success: false; error: z.ZodError };
};

/** How a kind's sources are asked, which decides their settings. */
type Nature = 'local' | 'remote' | 'remote or by proxies';

type Definition<Shape extends z.ZodRawShape> = {
  kind: string;
  nature: Nature;
  /** Limits that apply unless the file sets others. */
  defaultLimits?: Limits;
  simulated?: boolean;
  registry?: Registry;
  /** Returns when the client certificate ends. @throws Error if it cannot be read */
  findCredentialsEnd?: (settings: z.infer<z.ZodObject<Shape>>, secrets: Secrets) => Promise<Date>;
  /** Reads the files that the settings name. @throws ConfigError if one cannot be used */
  requireFiles?: (
    settings: z.infer<z.ZodObject<Shape>>,
    secrets: Secrets,
    entry: SourceEntry,
  ) => Promise<unknown>;
  /** The kind's own settings. */
  settings: z.ZodObject<Shape>;
  /** Opens one source. Secrets in `entry` are still `${NAME}`; fill them by `tools.secrets.fill`. */
  open(settings: z.infer<z.ZodObject<Shape>>, tools: SourceTools, entry: SourceEntry): Promise<OpenedSource>;
};

/**
 * Declares a kind of source. A new kind is one file in `kinds/` that exports the returned value, and one line in
 * `kinds/kinds.ts`.
 */
export function defineKind<Shape extends z.ZodRawShape>(definition: Definition<Shape>): SourceKind {
  const { kind, nature, settings, findCredentialsEnd } = definition;
  const isRemote = nature !== 'local';
  const egress = z.enum(nature === 'remote or by proxies' ? ['direct', 'proxies'] : ['direct']);
  const frame = z.object({
    kind: z.literal(kind),
    ...common,
    ...(isRemote && { ...remote, egress: egress.default('direct') }),
  });
  // Settings and frame each read the whole entry; together they know every name it may hold.
  const allowedNames = new Set([...Object.keys(frame.shape), ...Object.keys(settings.shape)]);
  return {
    kind,
    read(raw) {
      const framed = frame.safeParse(raw);
      const parsedSettings = settings.safeParse(raw);
      const unknown = findUnknown(raw, allowedNames);
      if (!framed.success || !parsedSettings.success || unknown.length > 0) {
        const issues = [...(framed.error?.issues ?? []), ...(parsedSettings.error?.issues ?? []), ...unknown];
        return { success: false, error: new z.ZodError(issues) };
      }
      const frameValues = framed.data as Common & Partial<Remote> & { egress?: 'direct' | 'proxies' };
      const entry: SourceEntry = {
        name: frameValues.name,
        label: frameValues.label ?? frameValues.name,
        kind,
        enabled: frameValues.enabled,
        timeZone: frameValues.time_zone,
        accepts: frameValues.accepts,
        egress: frameValues.egress ?? 'direct',
        limits: { ...definition.defaultLimits, ...frameValues.limits },
        attempts: frameValues.attempts ?? 1,
        remote: isRemote,
        simulated: definition.simulated ?? false,
        registry: definition.registry,
        findCredentialsEnd:
          findCredentialsEnd && ((secrets) => findCredentialsEnd(parsedSettings.data, secrets)),
        async requireFiles(secrets) {
          await definition.requireFiles?.(parsedSettings.data, secrets, entry);
        },
        open: (tools) =>
          definition.open(
            parsedSettings.data,
            { ...tools, timezone: entry.timeZone ?? tools.timezone },
            entry,
          ),
      };
      return { success: true, data: entry };
    },
  };
}

function findUnknown(raw: unknown, allowedNames: Set<string>): z.core.$ZodIssue[] {
  if (typeof raw !== 'object' || raw === null) return [];
  return Object.keys(raw)
    .filter((name) => !allowedNames.has(name))
    .map((name) => ({ code: 'custom', path: [name], message: 'is not a setting of this kind of source' }));
}
