/** How often the deadlines are looked at: one may be missed by so much. */
const tickMs = 25;
/** A look that is so late means that the process stood still. */
const lateMs = 1000;
/** What arrived while the process stood still is read within this time, before any deadline passes. */
const readMs = 1000;

type Deadline = { at: number; onPassed(): void };

/** By how long they are; those of one length pass in the order in which they were set. */
const queues = new Map<number, Set<Deadline>>();
let count = 0;
let timer: NodeJS.Timeout | undefined;
let lookedAt = 0;
let readUntil = 0;

/**
 * Calls back when `ms` have passed: all that a call waits for ends by one of these. A process that was frozen, or busy
 * with one thing, first reads what arrived meanwhile: what has come is not late.
 * @returns what calls it off
 */
export function setDeadline(ms: number, onPassed: () => void): () => void {
  const deadline = { at: performance.now() + ms, onPassed };
  const queue = queues.get(ms) ?? new Set();
  queues.set(ms, queue.add(deadline));
  count += 1;
  if (!timer) {
    lookedAt = performance.now();
    timer = setTimeout(look, tickMs);
  }
  return () => {
    if (!queue.delete(deadline)) return;
    count -= 1;
    if (queue.size === 0 && queues.get(ms) === queue) queues.delete(ms);
  };
}

function look(): void {
  const now = performance.now();
  if (now - lookedAt > lateMs) readUntil = now + readMs;
  lookedAt = now;
  const passed: Deadline[] = [];
  if (now >= readUntil) {
    for (const [ms, queue] of queues) {
      for (const deadline of queue) {
        if (deadline.at > now) break;
        queue.delete(deadline);
        count -= 1;
        passed.push(deadline);
      }
      if (queue.size === 0) queues.delete(ms);
    }
  }
  timer = undefined;
  for (const { onPassed } of passed) onPassed();
  if (count > 0) timer ??= setTimeout(look, tickMs);
}
