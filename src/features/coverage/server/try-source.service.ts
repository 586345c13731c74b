import { record } from '#features/audit/server/audit.service.ts';
import type { Exchange } from '#features/coverage/coverage.contract.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db.ts';
import { AppError, invalidField } from '#server/errors.ts';
import { type Identifier, readIdentifiers } from '#shared/identifier.ts';
import { m } from '#shared/texts/messages.js';
import { createProxyConnections } from './http/connections.ts';
import { findIdleProxy } from './proxies/proxy-states.queries.ts';
import type { OpenSources } from './sources/open-sources.ts';
import type { Outcome, Question, Source } from './sources/source.ts';
import type { ConfiguredSource } from './sources/sources-file.ts';
import { findSource } from './sources.service.ts';

/**
 * Asks a source about one serial and shows everything; nothing of it is stored but who tried which serial.
 * @throws AppError 404, 400 for a serial that it cannot be asked about, 409 for a source that is not enabled or that has
 * no proxy to be asked through
 */
export async function trySource(
  { db }: Context,
  sources: ConfiguredSource[],
  opened: OpenSources,
  name: string,
  serial: string,
) {
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
  const outcome =
    entry.egress === 'proxies' ? await askByProxy(db, source, question) : await source.ask(question);
  await record(db, {
    action: 'source.try',
    objectId: name,
    after: { serial: identifier.serial, outcome: outcome.is },
  });
  return {
    serial: identifier.serial,
    kind: identifier.kind,
    exchanges,
    outcome: outcome.is === 'proxy' || outcome.is === 'unsent' ? ('unreachable' as const) : outcome.is,
    details: 'error' in outcome ? outcome.error : null,
    row: outcome.is === 'found' ? outcome.coverage : null,
  };
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
