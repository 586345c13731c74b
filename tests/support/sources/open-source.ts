import { createSecrets } from '#features/sources/server/configuration/secrets.ts';
import type { OpenedSource, Outcome } from '#features/sources/server/configuration/source.ts';
import { readSources } from '#features/sources/server/configuration/sources-file.ts';
import { kinds } from '#features/sources/server/kinds/kinds.ts';
import type { Exchange } from '#features/sources/sources.contract.ts';
import type { Db } from '#server/db/db.ts';
import { createLog } from '#server/runtime/log.ts';
import { readIdentifiers } from '#shared/identifier.ts';

/** An opened source that is asked about a cell. */
export type SourceByCell = Omit<OpenedSource, 'ask'> & {
  ask(cell: string, more?: { poll?: string; signal?: AbortSignal }): Promise<Outcome>;
  /** The trace of its requests and responses so far. */
  shown: Exchange[];
};

/** Opens an entry of a sources file as a worker process does, on a shared database. */
export async function openSource(
  entry: object,
  db: Db,
  env: Record<string, string> = {},
): Promise<SourceByCell> {
  const [configured] = readSources({ sources: [entry] }, kinds, env);
  if (!configured) throw new Error('no source');
  const source = await configured.open({
    secrets: createSecrets(env),
    timezone: 'Asia/Jakarta',
    db,
    log: createLog('test', 'silent'),
  });
  const shown: Exchange[] = [];
  return {
    ...source,
    shown,
    ask(cell, { poll, signal } = {}) {
      const reading = readIdentifiers({ text: cell, numeric: false });
      const identifier = reading.kind === 'identifiers' ? reading.identifiers[0] : undefined;
      if (!identifier) throw new Error(`${cell} is no identifier`);
      return source.ask({
        ...identifier,
        poll: poll ?? null,
        ...(signal && { signal }),
        trace: (exchange) => shown.push(exchange),
      });
    },
  };
}
