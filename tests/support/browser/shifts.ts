/** Layout shifts below this go unnoticed: a fifth of the limit that Web Vitals call good. */
export const still = 0.02;

/** Runs in the page: sums its layout shifts as `shift`. A text, because the types here are Node's. */
export const countShifts = `
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;
