import { makeImeis } from '#tests/support/devices.ts';
import { holdRequests } from './support/hold.ts';
import { settled } from './support/settled.ts';
import { expect, test } from './support/test.ts';
import { uploadAndFinish } from './support/upload.ts';

/** What the Web Vitals call good; both screens have a fiftieth of it. */
const most = 0.1;

/** Runs in the page: adds up how much of it moved how far. A text, since the types here are Node's. */
const countShifts = `
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

test('rows stay where they are when counts, reasons and the import report come after them', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, [...makeImeis(150), 'nonsense!']);
  await signIn(page, user);
  await page.addInitScript(countShifts);
  for (const path of ['/dashboard/data', `/dashboard/tracker?ticket=${ticket}`]) {
    const later = /\/api\/(imei\?.*counts=1|data\/\d+\/import)/;
    const held = await holdRequests(page, 'GET', later);
    const asked = page.waitForRequest(later);
    await page.goto(path);
    await asked;
    await expect(page.getByRole('row', { name: /\d{15}/ }).first()).toBeVisible();
    held.letGo();
    await expect(page.getByRole('button', { name: 'All 151' })).toBeVisible();
    await settled(page);
    expect(await page.evaluate<number>('shift')).toBeLessThan(most);
    await page.unroute(later);
  }
});
