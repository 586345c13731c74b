import { record } from '#features/audit/server/audit.service.ts';
import type { Exchange } from '#features/coverage/coverage.contract.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db.ts';
import { AppError, invalidField } from '#server/errors.ts';
import { type Identifier, readIdentifiers } from '#shared/identifier.ts';
import { m } from '#shared/texts/messages.js';
import { createProxyConnections } from './http/connections.ts';
import type { Permits } from './http/permits.ts';
import { findIdleProxy } from './proxies/proxy-states.queries.ts';
import { addCallCounts } from './source-figures/call-counts.queries.ts';
import { createCallCounter } from './source-figures/call-counts.ts';
import { syncSources } from './source-state/source-states.queries.ts';
import type { OpenSources } from './sources/open-sources.ts';
import type { Outcome, Question, Source } from './sources/source.ts';
import type { ConfiguredSource } from './sources/sources-file.ts';
import { findSource } from './sources.service.ts';
import { borrowPermits } from './workers/borrow-permits.ts';

/** How long a try waits for a part of the source's limits: where there are fewer parts than workers they take turns. */
const patienceMs = 20_000;

/**
 * Asks a source about one serial and shows everything; nothing of it is stored but who tried which serial. It keeps to the
 * limits with the workers, and counts in the source's figures.
 * @throws AppError 404, 400 for a serial that it cannot be asked about, 409 for a source that is not enabled, that has no
 * proxy to be asked through, or whose limits leave no room in time
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
    throw new AppError(409, 'source_disabled', (locale) => m.server_source_disabled({}, { locale }));
  }
  const identifier = readIdentifier(serial);
  if (!entry.accepts.includes(identifier.kind)) {
    throw invalidField('serial', (locale) => m.server_source_kind_refused({}, { locale }));
  }
  const exchanges: Exchange[] = [];
  const source = await opened.open(entry);
  const question = { ...identifier, poll: null, trace: (shown: Exchange) => exchanges.push(shown) };
  const began = performance.now();
  const outcome = await withinLimits(context, entry, (permits) => {
    const asked = { ...question, ...(permits && { permits }) };
    return entry.egress === 'proxies' ? askByProxy(db, source, asked) : source.ask(asked);
  });
  if (outcome.is === 'unsent') throw noPermit();
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
  };
}

/** Asks with a part of the source's limits, which all workers share. @throws AppError 409 where none is to be had in time */
async function withinLimits(
  context: Context,
  entry: ConfiguredSource,
  ask: (permits: Permits | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  if (!entry.remote) return ask(undefined);
  // The limits are shared by what the database knows of the source.
  await syncSources(context.db, [entry]);
  const borrowed = await borrowPermits(context, entry, patienceMs);
  try {
    if (!borrowed.permits) throw noPermit();
    return await ask(borrowed.permits);
  } finally {
    await borrowed.end();
  }
}

function noPermit(): AppError {
  return new AppError(409, 'no_permit', (locale) => m.server_source_no_permit({}, { locale }));
}

/** Through a proxy that no worker uses now, where there is one. */
async function askByProxy(db: Db, source: Source, question: Question): Promise<Outcome> {
  const proxy = await findIdleProxy(db);
  if (proxy === undefined) {
    throw new AppError(409, 'no_proxy', (locale) => m.server_source_no_proxy({}, { locale }));
  }
  const via = createProxyConnections(proxy);
  try {
    return await source.ask({ ...question, via });
  } finally {
    await via.destroy();
  }
}

function readIdentifier(serial: string): Identifier {
  const reading = readIdentifiers({ text: serial, numeric: false });
  const [identifier, second] = reading.kind === 'identifiers' ? reading.identifiers : [];
  if (!identifier || second) {
    throw invalidField('serial', (locale) => m.server_source_serial_invalid({}, { locale }));
  }
  return identifier;
}
