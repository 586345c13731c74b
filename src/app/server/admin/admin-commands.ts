import { randomBytes } from 'node:crypto';
import { resetPasswordByOperator } from '#features/accounts/server/passwords/operator-reset.service.ts';
import { removeSecondFactorByOperator } from '#features/accounts/server/second-factor/operator-removal.service.ts';
import { withDb } from '#server/db/connection/open-db.ts';
import type { Db } from '#server/db/db.ts';
import { listAppliedMigrations } from '#server/db/migrations/migrate.queries.ts';
import { readMigrations, requireKnownSchema } from '#server/db/migrations/migrate.ts';
import type { Config } from '#server/runtime/config.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { requireDatabase } from '../backup/backup-commands.ts';
import { reachDatabase } from '../database.ts';
import type { CommandOptions } from '../processes/command-options.ts';
import { hasKey, provideSecretsKey } from '../secrets/secrets-key.ts';
import { examine } from './doctor.ts';
import { type Finding, finding } from './finding.ts';

const usage =
  'usage: npm run admin -- doctor | npm run admin -- reset-password EMAIL | npm run admin -- reset-second-factor EMAIL';

/** Runs a command for operators: `admin doctor`, `admin reset-password EMAIL`, `admin reset-second-factor EMAIL`. */
export async function runAdmin(options: CommandOptions): Promise<void> {
  const [command, email, ...more] = options.args;
  if (command === 'doctor' && email === undefined) await runDoctor(options);
  else if (command === 'reset-password' && email !== undefined && more.length === 0)
    await resetPassword(options, email);
  else if (command === 'reset-second-factor' && email !== undefined && more.length === 0)
    await resetSecondFactor(options, email);
  else throw new StartError(usage);
  options.stop.request('gently');
}

/** Prints each finding with its remedy. @throws StartError if one is an error, which makes the exit code 1 */
async function runDoctor({ config, log, stop, print }: CommandOptions): Promise<void> {
  const findings = await provideAnyKey(config);
  const reach = async () => {
    await requireDatabase(config);
    return reachDatabase(config, log, stop);
  };
  findings.push(...(await examine(config, reach)));
  for (const { level, subject, text, advice } of findings) {
    print(`${level.padEnd(7)}  ${subject}: ${text}`);
    if (advice !== undefined) print(`${' '.repeat(9)}${advice}`);
  }
  const errors = findings.filter(({ level }) => level === 'error').length;
  if (errors > 0) throw new StartError(`${errors} of ${findings.length} findings are errors`);
}

/**
 * Sets SECRETS_KEY, which reading the sources needs. A folder without one gets none: the doctor changes nothing.
 * @returns a finding if the folder's key cannot be read
 */
async function provideAnyKey(config: Config): Promise<Finding[]> {
  process.env.SECRETS_KEY = randomBytes(32).toString('hex');
  try {
    if (config.SECRETS_KEY || (await hasKey(config.DATA_DIR))) await provideSecretsKey(config);
    return [];
  } catch (error) {
    return [finding('error', 'secrets', (error as Error).message, 'Check secrets-key in DATA_DIR.')];
  }
}

async function resetPassword(options: CommandOptions, email: string): Promise<void> {
  const reset = await withDatabase(options, (db) => resetPasswordByOperator(db, email));
  if (!reset) throw unknownUser(email);
  const { print } = options;
  print(`New password of ${reset.email}: ${reset.password}`);
  print('It must be changed at the next sign-in. All sessions of the user have ended.');
  if (!reset.active) print('The user is not active and cannot sign in until a superadmin activates them.');
}

async function resetSecondFactor(options: CommandOptions, email: string): Promise<void> {
  const reset = await withDatabase(options, (db) => removeSecondFactorByOperator(db, email));
  if (!reset) throw unknownUser(email);
  if (!reset.removed) throw new StartError(`${reset.email} has no second factor`);
  options.print(`The second factor of ${reset.email} is removed. All sessions of the user have ended.`);
}

const unknownUser = (email: string) => new StartError(`No user has the email address ${email}`);

/** Runs some work on the product's database. @throws StartError if its schema is not that of this version */
async function withDatabase<T>(
  { config, log, stop }: CommandOptions,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  await requireDatabase(config);
  return withDb(await reachDatabase(config, log, stop), log, async (db) => {
    await requireCurrentSchema(db);
    return work(db);
  });
}

async function requireCurrentSchema(db: Db): Promise<void> {
  const codeNumbers = (await readMigrations()).map(({ number }) => number);
  await requireKnownSchema(db, codeNumbers);
  if ((await listAppliedMigrations.all(db)).length < codeNumbers.length) {
    throw new StartError(
      'The database is older than this version of Coverdesk: start Coverdesk, which migrates it',
    );
  }
}
