import { loadSources } from '#features/sources/server/configuration/sources-file.ts';
import { kinds } from '#features/sources/server/kinds/kinds.ts';
import {
  blockOf,
  listSourceStates,
  type SourceBlock,
} from '#features/sources/server/states/source-states.queries.ts';
import type { Queryable } from '#server/db/db.ts';
import type { Config } from '#server/runtime/config.ts';
import { type Finding, finding } from './finding.ts';

const remedies: Record<SourceBlock, { level: Finding['level']; text: string; advice: string }> = {
  paused: { level: 'warning', text: 'paused by hand', advice: 'Resume it on the screen Sources.' },
  down: { level: 'error', text: 'not reachable', advice: 'Check its address and the network.' },
  auth: {
    level: 'error',
    text: 'refuses the account',
    advice: 'Check its token or certificate in SOURCES_FILE.',
  },
  quota: {
    level: 'error',
    text: 'its quota is used up',
    advice: 'Wait, or raise the quota with the vendor.',
  },
  proxies: {
    level: 'error',
    text: 'no proxy works',
    advice: 'Upload proxies that work on the screen Upload Proxies.',
  },
};

/** Returns a finding for each enabled source that is not asked at present. All but paused ones are probed by the workers. */
export async function examineSourceStates(db: Queryable, config: Config): Promise<Finding[]> {
  // A mistake in SOURCES_FILE is a finding of `examineSources`.
  const sources = await loadSources(config, kinds, process.env).catch(() => []);
  const enabled = new Set(sources.filter((source) => source.enabled).map(({ name }) => name));
  const states = (await listSourceStates.all(db)).filter(({ name }) => enabled.has(name));
  return states.flatMap((state) => {
    const block = blockOf(state);
    if (block === null) return [];
    const { level, text, advice } = remedies[block];
    const error = block === 'paused' || state.last_error === null ? '' : `: ${state.last_error}`;
    return [finding(level, `source ${state.name}`, `${text}${error}`, advice)];
  });
}
