/** Smaller differences between the clocks are corrections of the system's. */
const minSuspendedMs = 1000;

let suspended = 0;
let wall = Date.now();
let steady = performance.now();

/**
 * Returns for how many milliseconds the machine has been suspended since the start. `performance.now()` stands still then,
 * the system's clock does not. A system clock that is set forward counts as well.
 */
export function suspendedMs(): number {
  const before = { wall, steady };
  wall = Date.now();
  steady = performance.now();
  const difference = wall - before.wall - (steady - before.steady);
  if (difference > minSuspendedMs) suspended += difference;
  return suspended;
}
