import { deadlines } from './open-db.ts';

/** How long questions wait for the reading before theirs: one that hangs does not hold up the others. */
const patienceMs = 50;
/** How many readings of one kind are under way at most, even when they hang. */
const mostUnderWay = 2;

/** Questions that wait to be read together, by their names. */
type Group<Q, A> = {
  asked: Map<string, { question: Q; settle: PromiseWithResolvers<A> }>;
  timer?: NodeJS.Timeout;
};

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
  let waiting: Group<Q, A> | undefined;

  const takeWaiting = () => {
    const asked = [...(waiting?.asked.values() ?? [])];
    clearTimeout(waiting?.timer);
    waiting = undefined;
    return asked;
  };
  const readWaiting = async () => {
    const asked = takeWaiting();
    underWay += 1;
    try {
      const answers = await read(asked.map(({ question }) => question));
      for (const [i, { settle }] of asked.entries()) settle.resolve(answers[i] as A);
    } catch (error) {
      for (const { settle } of asked) settle.reject(error);
    }
    underWay -= 1;
    if (waiting) void readWaiting();
  };
  const endPatience = (group: Group<Q, A>) => {
    if (underWay < mostUnderWay) void readWaiting();
    // As long as for a connection, and with the same answer.
    else group.timer = setTimeout(refuseWaiting, deadlines.request.connect);
  };
  const refuseWaiting = () => {
    const error = Object.assign(new Error('what is being read takes too long'), { code: 'ETIMEDOUT' });
    for (const { settle } of takeWaiting()) settle.reject(error);
  };

  return (question) => {
    const name = nameOf(question);
    const group: Group<Q, A> = waiting ?? { asked: new Map() };
    waiting = group;
    const one = group.asked.get(name) ?? { question, settle: Promise.withResolvers<A>() };
    group.asked.set(name, one);
    if (underWay === 0) void readWaiting();
    else group.timer ??= setTimeout(endPatience, patienceMs, group);
    return one.settle.promise;
  };
}
