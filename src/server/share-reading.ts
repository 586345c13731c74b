/** How long questions wait for the reading before theirs: one that hangs does not hold up the others. */
const patienceMs = 50;

/** One that was begun, and the one that those wait for who came meanwhile. */
type Reading<A> = { ended: Promise<void>; next?: Promise<A> };

/**
 * Has what several ask for at once be read once for all of them: who comes while it is being read waits for the end of
 * that, and shares the reading after it with all who came meanwhile. One alone is read at once. A reading begins after all
 * of its questions came, so that no answer is older than its question.
 * @returns a function of a name, equal for questions that have one answer, and of how that is read
 */
export function shareReadings<A>(): (name: string, read: () => Promise<A>) => Promise<A> {
  const underWay = new Map<string, Reading<A>>();

  const begin = (name: string, read: () => Promise<A>) => {
    const answer = read();
    const end = () => {
      if (underWay.get(name) === reading) underWay.delete(name);
    };
    const reading: Reading<A> = { ended: answer.then(end, end) };
    underWay.set(name, reading);
    return answer;
  };

  return (name, read) => {
    const reading = underWay.get(name);
    if (!reading) return begin(name, read);
    reading.next ??= endOrPatience(reading.ended).then(() => begin(name, read));
    return reading.next;
  };
}

function endOrPatience(ended: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  void ended.then(() => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}
