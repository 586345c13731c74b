import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { isLoopbackHost } from '#server/egress/addresses.ts';
import { email } from '#shared/answers.ts';
import { type Role, roles } from '#shared/role.ts';
import { StartError } from './start-error.ts';

const secret = z.string().refine((text) => Buffer.byteLength(text) >= 32, 'takes at least 32 bytes');

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `takes a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `takes a whole number from ${min} to ${max}`);

const positiveDecimal = z
  .string()
  .regex(/^\d{1,8}(\.\d{1,6})?$/, 'takes a positive decimal number such as 0.05')
  .refine((text) => Number(text) > 0, 'takes a positive decimal number such as 0.05');

const flag = z.enum(['0', '1'], 'takes 0 or 1').transform((text) => text === '1');

const urlOf = (protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `takes a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  });

const mailServer = urlOf(['smtp:', 'smtps:']).refine(
  (text) => URL.canParse(text) && new URL(text).hostname !== '',
  'takes the URL of a mail server, such as smtp://mail.example.com',
);

/** An address that the sign-in takes. */
const signInEmail = z.string().refine((text) => email.safeParse(text).success, 'takes an email address');

/** An email address, alone or after a name. */
const sender = z
  .string()
  .regex(
    /^([^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
    'takes an email address, such as Coverdesk <coverdesk@example.com>',
  );

const issuer = z
  .string()
  .refine(isTrustworthy, 'takes an https:// address of an identity provider, or http:// on loopback');

function isTrustworthy(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

export const timezone = z.string().refine((name) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}, 'takes an IANA time zone such as Asia/Jakarta');

/** Offsets have the opposite sign in PostgreSQL, and these abbreviations no summer time. */
const misreadBySql = /^[+-]|^[CEMW]ET$/i;

/** A time zone that SQL and JavaScript read alike. */
const sqlTimezone = timezone.refine(
  (name) => !misreadBySql.test(name),
  'takes a place such as Asia/Jakarta: PostgreSQL reads offsets and CET, EET, MET and WET in another way',
);

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined) return false;
  const maxBits = family === 4 ? 32 : 128;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= maxBits);
}

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

const trustedProxies = commaList.refine(
  (list) => list.every(isAddressOrRange),
  'takes addresses or CIDR ranges, separated by commas',
);

const roleList = commaList.refine(
  (list): list is Role[] => list.every((part) => roles.includes(part as Role)),
  `takes roles, separated by commas: ${roles.join(', ')}`,
);

const maxWorkers = 64;
/** Leaves one core to the API and the database. */
const defaultWorkers = Math.min(maxWorkers, Math.max(1, availableParallelism() - 1));

const variables = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().min(1, 'takes a host name or address').default('127.0.0.1'),
  DATA_DIR: z.string().min(1, 'takes a folder').default('./data'),
  DATABASE_URL: urlOf(['postgres:', 'postgresql:']).optional(),
  DATABASE_DIRECT_URL: urlOf(['postgres:', 'postgresql:']).optional(),
  DATABASE_READ_URL: urlOf(['postgres:', 'postgresql:']).optional(),
  ADMIN_EMAIL: signInEmail.default('admin@localhost'),
  ADMIN_PASSWORD: z
    .string()
    .min(8, 'takes at least 8 characters')
    .max(1000, 'takes at most 1000 characters')
    .optional(),
  JWT_SECRET: secret.optional(),
  SECRETS_KEY: secret.optional(),
  SECRETS_KEY_OLD: secret.optional(),
  SESSION_HOURS: wholeNumber(1, 8760).default(12),
  METRICS_TOKEN: z.string().min(1).optional(),
  CACHE_HOURS: wholeNumber(0, 87_600).default(24),
  PUBLIC_URL: urlOf(['http:', 'https:']).optional(),
  TRUST_PROXY: trustedProxies.optional(),
  SMTP_URL: mailServer.optional(),
  ALLOW_PRIVATE_SMTP: flag.default(false),
  MAIL_FROM: sender.default('Coverdesk <coverdesk@localhost>'),
  SOURCES_FILE: z.string().min(1, 'takes the path of a JSON file').optional(),
  PRICE_USD: positiveDecimal.default('0.05'),
  DOLLAR_RATE: wholeNumber(1, 1_000_000_000).default(16_000),
  PROXY_SET_DAYS: wholeNumber(1, 3650).default(30),
  ALLOW_PRIVATE_PROXIES: flag.default(false),
  ALLOW_PRIVATE_WEBHOOKS: flag.default(false),
  APP_TIMEZONE: sqlTimezone.default('Asia/Jakarta'),
  WORKERS: wholeNumber(1, maxWorkers).default(defaultWorkers),
  WORKER_CONCURRENCY: wholeNumber(1, 1024).default(64),
  MAX_UPLOAD_MB: wholeNumber(1, 4096).default(128),
  MIN_FREE_MB: wholeNumber(0, 1_000_000_000).default(512),
  MAX_UPLOAD_ROWS: wholeNumber(1, 1_048_576).default(1_000_000),
  LOGIN_ATTEMPTS: wholeNumber(1, 1_000_000).default(10),
  SECOND_FACTOR_ROLES: roleList.default([]),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_COMPANY_CLAIM: z.string().optional(),
  AUDIT_DAYS: wholeNumber(1, 36_500).default(730),
  DEVICE_DAYS: wholeNumber(1, 36_500).optional(),
  RETENTION_DAYS_RESULTS: wholeNumber(1, 36_500).optional(),
  RETENTION_DAYS_UPLOADS: wholeNumber(1, 36_500).optional(),
  RETENTION_DAYS_CACHE: wholeNumber(1, 36_500).optional(),
  BACKUP_DIR: z.string().min(1, 'takes a folder').optional(),
  BACKUP_KEEP: wholeNumber(1, 1000).default(7),
  BACKUP_KEY: secret.optional(),
  ORIGINAL_DAYS: wholeNumber(1, 36_500).default(30),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'takes a pino level such as info')
    .default('info'),
});

/** The product's configuration. PRICE_USD is a decimal string, DATA_DIR and BACKUP_DIR are absolute. */
export type Config = z.infer<typeof variables>;

/** An error with one line per bad variable, each beginning with the variable's name. */
export class ConfigError extends StartError {
  constructor(problems: string[]) {
    super(problems.join('\n'));
  }
}

/** Single sign-on needs all of these variables. */
export const oidcVariables = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'];

const wildcards = new Set(['0.0.0.0', '::', '[::]']);

/**
 * Reads the configuration from an environment. Empty values count as unset.
 * @throws ConfigError naming every bad variable and its valid values
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const nonEmptyEnv = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = variables.safeParse(nonEmptyEnv);
  const problems = parsed.success
    ? []
    : [...new Map(parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]))].map(
        ([name, message]) => `${name} ${message}`,
      );
  if (wildcards.has(nonEmptyEnv.HOST ?? '') && !nonEmptyEnv.PUBLIC_URL) {
    problems.push('PUBLIC_URL is required when HOST is a wildcard: it is used in links of mails');
  }
  if (nonEmptyEnv.SMTP_URL && !nonEmptyEnv.MAIL_FROM) {
    problems.push(
      'MAIL_FROM is required when SMTP_URL is set: mail servers refuse or drop an invented sender',
    );
  }
  const missing = oidcVariables.filter((name) => !nonEmptyEnv[name]);
  if (missing.length > 0 && missing.length < oidcVariables.length) {
    problems.push(
      ...missing.map(
        (name) => `${name} is required for single sign-on: set ${oidcVariables.join(', ')}, or none`,
      ),
    );
  }
  if (nonEmptyEnv.DATABASE_DIRECT_URL && !nonEmptyEnv.DATABASE_URL) {
    problems.push('DATABASE_URL is required when DATABASE_DIRECT_URL is set: it leads to the pooler');
  }
  if (nonEmptyEnv.DATABASE_READ_URL && !nonEmptyEnv.DATABASE_URL) {
    problems.push(
      'DATABASE_URL is required when DATABASE_READ_URL is set: it leads to the primary of the replica',
    );
  }
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const { DATA_DIR, BACKUP_DIR } = parsed.data;
  return {
    ...parsed.data,
    DATA_DIR: resolve(DATA_DIR),
    ...(BACKUP_DIR !== undefined && { BACKUP_DIR: resolve(BACKUP_DIR) }),
  };
}

/**
 * Checks that processes on a PostgreSQL server share the secret of session tokens.
 * @throws ConfigError with DATABASE_URL but without JWT_SECRET
 */
export function requireSharedSecret({ DATABASE_URL, JWT_SECRET }: Config): void {
  if (!DATABASE_URL || JWT_SECRET) return;
  throw new ConfigError(['JWT_SECRET is required when DATABASE_URL is set: several processes share it']);
}

/** The database server, and the pooler in front of it if DATABASE_URL leads to one. */
export function databaseAddresses({ DATABASE_URL, DATABASE_DIRECT_URL }: Config): {
  databaseUrl: string | undefined;
  poolerUrl: string | undefined;
} {
  return {
    databaseUrl: DATABASE_DIRECT_URL ?? DATABASE_URL,
    poolerUrl: DATABASE_DIRECT_URL && DATABASE_URL,
  };
}
