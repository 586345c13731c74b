/** Returns a day (YYYY-MM-DD) so many months later, or the last day of that month. */
function addMonths(day, months) {
  const [year, month, date] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** Returns the number of whole months after which `start` comes closest to `end`. Both are YYYY-MM-DD. */
export function countMonths(start, end) {
  const [from, to] = [start, end].map((day) => day.split('-').map(Number));
  const about = (to[0] - from[0]) * 12 + to[1] - from[1];
  const distance = (months) => Math.abs(Date.parse(addMonths(start, months)) - Date.parse(end));
  return [about - 1, about, about + 1].reduce((best, months) =>
    distance(months) < distance(best) ? months : best,
  );
}

/**
 * Returns the coverage of a device of the register, as an inventory stores it. Coverage ends by the server's day.
 * @returns `start` and `end` of coverage, `purchased`, all YYYY-MM-DD or null, and `status`
 */
export function describeCoverage(device) {
  const { coverage_start_date: start, coverage_end_date: end, purchase_date: purchased } = device;
  const status = () => {
    if (device.activation_status === 'unactivated') return 'unactivated';
    if (end === null) return 'unknown';
    return device.coverage_expires === 'Expired' ? 'expired' : 'covered';
  };
  return { start, end, purchased, status: status() };
}

/** Returns a serial in the form in which serials are compared. */
export const comparable = (serial) =>
  String(serial ?? '')
    .replace(/[\s.\-/]/g, '')
    .toUpperCase();
