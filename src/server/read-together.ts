import { deadlines } from './open-db.ts';

/** How many joint readings of one kind are under way at most: one that hangs does not hold up the others. */
const mostUnderWay = 2;
/** How many different questions one of them answers at most. */
const mostTogether = 1000;

type Asked<Q, A> = { question: Q; settle: PromiseWithResolvers<A>; deadline?: NodeJS.Timeout };

/**
 * Has questions that come while others of their kind are being read wait for the end of that, and reads them together,
 * equal ones once (known as a data loader). One alone is read at once. A reading begins after all of its questions came,
 * so that no answer is older than its question.
 * @param nameOf equal for questions that have one answer
 * @param read answers in the order of the questions; where it fails, all of them fail
 */
export function readTogether<Q, A>(
  nameOf: (question: Q) => string,
  read: (questions: Q[]) => Promise<A[]>,
): (question: Q) => Promise<A> {
  let underWay = 0;
  const waiting = new Map<string, Asked<Q, A>>();

  const readNext = async () => {
    const asked = [...waiting].slice(0, mostTogether);
    for (const [name, { deadline }] of asked) {
      waiting.delete(name);
      clearTimeout(deadline);
    }
    underWay += 1;
    try {
      const answers = await read(asked.map(([, { question }]) => question));
      for (const [i, [, { settle }]] of asked.entries()) settle.resolve(answers[i] as A);
    } catch (error) {
      for (const [, { settle }] of asked) settle.reject(error);
    }
    underWay -= 1;
    if (waiting.size > 0) void readNext();
  };

  // As long as for a connection, and with the same answer.
  const giveUp = (name: string, { settle }: Asked<Q, A>) => {
    waiting.delete(name);
    settle.reject(Object.assign(new Error('the readings before took too long'), { code: 'ETIMEDOUT' }));
  };

  return (question) => {
    const name = nameOf(question);
    const same = waiting.get(name);
    if (same) return same.settle.promise;
    const one: Asked<Q, A> = { question, settle: Promise.withResolvers<A>() };
    waiting.set(name, one);
    if (underWay < mostUnderWay) void readNext();
    else one.deadline = setTimeout(() => giveUp(name, one), deadlines.request.connect);
    return one.settle.promise;
  };
}
