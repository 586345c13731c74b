import { record } from '#features/audit/server/audit.service.ts';
import type { OpenSources } from '#features/sources/server/configuration/open-sources.ts';
import type { MappingProblem, Question } from '#features/sources/server/configuration/source.ts';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import { addCallCounts } from '#features/sources/server/figures/call-counts.queries.ts';
import { createCallCounter } from '#features/sources/server/figures/call-counts.ts';
import { databaseFailed } from '#features/sources/server/kinds/failed-outcome.ts';
import { requireSource } from '#features/sources/server/sources.service.ts';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import type { Exchange } from '#features/sources/sources.contract.ts';
import { AppError, invalidField, unavailable } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { type Identifier, readIdentifiers } from '#shared/identifier.ts';
import { m } from '#shared/texts/messages.js';
import { askAsWorker, noPermit } from './ask-as-worker.ts';

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
  const entry = requireSource(sources, name);
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
  const ask = (callOptions: Pick<Question, 'permits' | 'via'> = {}) => {
    began = performance.now();
    return source.ask({ ...question, ...callOptions });
  };
  // The limits are shared through the source's row in the database.
  if (entry.remote) await syncSources(db, [entry]);
  const outcome = entry.remote ? await askAsWorker(context, { entry, sources }, ask) : await ask();
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

function readIdentifier(serial: string): Identifier {
  const reading = readIdentifiers({ text: serial, numeric: false });
  const [identifier, second] = reading.kind === 'identifiers' ? reading.identifiers : [];
  if (!identifier || second) {
    throw invalidField('serial', m.server_source_serial_invalid);
  }
  return identifier;
}
