/** The interval of checks: a deadline may pass late by this much. */
const tickMs = 25;
/** A check that is this late means that the process was frozen or blocked. */
const lateMs = 1000;
/** After a freeze, the time to read what arrived before any deadline passes. */
const readMs = 1000;

type Deadline = { at: number; onPassed(): void };

/** By duration; deadlines of one duration pass in the order in which they were set. */
const queues = new Map<number, Set<Deadline>>();
let count = 0;
let timer: NodeJS.Timeout | undefined;
let lookedAt = 0;
let readUntil = 0;

/**
 * Calls back when `ms` have passed. After a freeze or a long block the process first reads what arrived, so an answer
 * that came in time counts.
 * @returns a function that cancels the deadline
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
