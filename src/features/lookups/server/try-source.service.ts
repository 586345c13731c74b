import { record } from '#features/audit/server/audit.service.ts';
import type { OpenSources } from '#features/sources/server/configuration/open-sources.ts';
import type { MappingProblem, Outcome, Question } from '#features/sources/server/configuration/source.ts';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import { addCallCounts } from '#features/sources/server/figures/call-counts.queries.ts';
import { createCallCounter } from '#features/sources/server/figures/call-counts.ts';
import { databaseFailed } from '#features/sources/server/kinds/failed-outcome.ts';
import { findSource } from '#features/sources/server/sources.service.ts';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import type { Exchange } from '#features/sources/sources.contract.ts';
import { AppError, invalidField, unavailable } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { type Identifier, readIdentifiers } from '#shared/identifier.ts';
import { m } from '#shared/texts/messages.js';
import { directEgress } from './gate/egress.ts';
import { createProxyLeases } from './proxies/proxy-leases.ts';
import { borrowPermits } from './workers/borrow-permits.ts';

/**
 * How long a try waits for permits and a proxy. Two turns of the allocation: workers take turns of 10 s at a small
 * limit.
 */
const maxWaitMs = 20_000;

/**
 * Asks a source about one serial, and returns every request and answer. Stores no result. Records an audit entry,
 * counts the calls in the source's figures, and takes permits and a proxy as a worker does.
 * @throws AppError 404; 400 for a serial that the source does not accept; 409 if the source is disabled, has no
 * usable proxy, or gives no permit or proxy in time; 503 if the database fails
 */
export async function trySource(
  context: Context,
  sources: ConfiguredSource[],
  opened: OpenSources,
  name: string,
  serial: string,
) {
  const { db } = context;
  const entry = findSource(sources, name);
  if (!entry.enabled) {
    throw new AppError(409, 'source_disabled', m.server_source_disabled);
  }
  const identifier = readIdentifier(serial);
  if (!entry.accepts.includes(identifier.kind)) {
    throw invalidField('serial', m.server_source_kind_refused);
  }
  const exchanges: Exchange[] = [];
  const source = await opened.open(entry);
  const problems: MappingProblem[] = [];
  const question: Question = {
    ...identifier,
    poll: null,
    trace: (shown) => exchanges.push(shown),
    explain: (problem) => problems.push(problem),
  };
  // The wait for permits does not count as the source's response time.
  let began = performance.now();
  const ask = (given: Pick<Question, 'permits' | 'via'> = {}) => {
    began = performance.now();
    return source.ask({ ...question, ...given });
  };
  const outcome = entry.remote ? await askAsWorker(context, sources, entry, ask) : await ask();
  if (outcome.is === 'unsent') throw outcome.error === databaseFailed ? unavailable() : noPermit();
  const is = outcome.is === 'proxy' ? ('unreachable' as const) : outcome.is;
  const details = 'error' in outcome ? outcome.error : null;
  if (entry.remote) {
    const counter = createCallCounter();
    counter.record(is, performance.now() - began, details);
    const counts = counter.take();
    if (counts) await addCallCounts(db, name, counts);
  }
  await record(db, {
    action: 'source.try',
    objectId: name,
    after: { serial: identifier.serial, outcome: outcome.is },
  });
  return {
    serial: identifier.serial,
    kind: identifier.kind,
    exchanges,
    outcome: is,
    details,
    row: outcome.is === 'found' ? outcome.coverage : null,
    problems,
  };
}

/**
 * Asks with a permit of the source's limits, and through a leased proxy if the source uses proxies.
 * @throws AppError 409 if one of them is not available in time
 */
async function askAsWorker(
  context: Context,
  sources: ConfiguredSource[],
  entry: ConfiguredSource,
  ask: (given: Pick<Question, 'permits' | 'via'>) => Promise<Outcome>,
): Promise<Outcome> {
  const { db } = context;
  // The limits are shared through the source's row in the database.
  await syncSources(db, [entry]);
  const byProxies = sources.filter(({ enabled, egress }) => enabled && egress === 'proxies');
  const leases = createProxyLeases(db, byProxies, { limit: 1 });
  const egress = entry.egress === 'proxies' ? leases.pool.createEgress(entry.limits) : directEgress;
  const isFree = () => egress.waitMs(performance.now()) === 0;
  let proxies = { any: true, usable: 1 };
  const borrowed = await borrowPermits(context, entry, {
    sources,
    maxWaitMs,
    proxyLoan:
      egress === directEgress
        ? undefined
        : {
            async update(worker, wants) {
              proxies = await leases.update(worker, wants);
              return proxies.usable === 0 || isFree();
            },
            reset: () => leases.reset(),
          },
  });
  try {
    if (!isFree())
      throw proxies.any
        ? new AppError(409, 'no_free_proxy', m.server_source_no_free_proxy)
        : new AppError(409, 'no_proxy', m.server_source_no_proxy);
    if (!borrowed.permits) throw noPermit();
    const { via, end } = egress.start(performance.now());
    const outcome = await ask({ permits: borrowed.permits, ...(via && { via }) });
    end(outcome);
    return outcome;
  } finally {
    await borrowed.end();
  }
}

function noPermit(): AppError {
  return new AppError(409, 'no_permit', m.server_source_no_permit);
}

function readIdentifier(serial: string): Identifier {
  const reading = readIdentifiers({ text: serial, numeric: false });
  const [identifier, second] = reading.kind === 'identifiers' ? reading.identifiers : [];
  if (!identifier || second) {
    throw invalidField('serial', m.server_source_serial_invalid);
  }
  return identifier;
}
