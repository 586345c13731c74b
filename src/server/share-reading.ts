import { readTogether } from './read-together.ts';

/** Those who ask one question, and how many of them wait for an answer. */
type Group<A> = { ask: (read: () => Promise<A>) => Promise<A>; asking: number };

/**
 * Has what several ask for at once be read once for all of them: who comes while it is being read waits for the end of
 * that, and shares the reading after it with all who came meanwhile (`readTogether`). One alone is read at once. A reading
 * begins after all of its questions came, so that no answer is older than its question; a slow one holds up its own alone.
 * @returns a function of a name, equal for questions that have one answer, and of how that is read
 */
export function shareReadings<A>(): (name: string, read: () => Promise<A>) => Promise<A> {
  const groups = new Map<string, Group<A>>();
  const begin = (name: string): Group<A> => {
    const ask = readTogether(
      () => '',
      (reads: (() => Promise<A>)[]) => Promise.all(reads.map((read) => read())),
    );
    const group = { ask, asking: 0 };
    groups.set(name, group);
    return group;
  };

  return async (name, read) => {
    const group = groups.get(name) ?? begin(name);
    group.asking += 1;
    try {
      return await group.ask(read);
    } finally {
      group.asking -= 1;
      if (group.asking === 0) groups.delete(name);
    }
  };
}
