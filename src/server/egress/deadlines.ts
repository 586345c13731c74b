/** The interval of checks. A deadline may pass late by this much. */
const checkIntervalMs = 25;
/** A check this late means that the process was frozen or its event loop blocked. */
const freezeMs = 1000;
/** After a freeze, the time to read responses that have arrived before any deadline passes. */
const readMs = 1000;

type Deadline = { at: number; onPassed(): void };

/** Pending deadlines by duration. Deadlines of one duration pass in the order in which they were set. */
const queues = new Map<number, Set<Deadline>>();
let count = 0;
let timer: NodeJS.Timeout | undefined;
let checkedAt = 0;
let readUntil = 0;

/**
 * Calls back when `ms` have passed. After a freeze, the process first reads responses that have arrived, so that a
 * response that came in time still counts.
 * @returns a function that cancels the deadline
 */
export function setDeadline(ms: number, onPassed: () => void): () => void {
  const deadline = { at: performance.now() + ms, onPassed };
  const queue = queues.get(ms) ?? new Set();
  queues.set(ms, queue.add(deadline));
  count += 1;
  if (!timer) {
    checkedAt = performance.now();
    timer = setTimeout(checkDeadlines, checkIntervalMs);
  }
  return () => {
    if (!queue.delete(deadline)) return;
    count -= 1;
    if (queue.size === 0 && queues.get(ms) === queue) queues.delete(ms);
  };
}

function checkDeadlines(): void {
  const now = performance.now();
  if (now - checkedAt > freezeMs) readUntil = now + readMs;
  checkedAt = now;
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
  if (count > 0) timer ??= setTimeout(checkDeadlines, checkIntervalMs);
}
