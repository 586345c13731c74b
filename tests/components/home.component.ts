import { getOwnCompany } from '#features/clients/clients.contract.ts';
import { readDeviceFigures } from '#features/devices/devices.contract.ts';
import { getHomeSummary } from '#features/home/home.contract.ts';
import { listProgress } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { noFigures } from '#tests/support/browser/no-figures.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

test('Home shows what runs first, and each panel as soon as it is known', async ({ page, api, open }) => {
  const client = {
    _id: '1',
    company_name: 'Acme',
    company_code: 'ACM001',
    status: '1' as const,
    bill_known: false,
  };
  api.answer(getOwnCompany, { client });
  api.answer(listProgress, { data: [] });
  api.answer(getHomeSummary, {
    serials_per_day: null,
    revenue: null,
    revenue_month: null,
    previous_sign_in: null,
  });
  api.answer(readDeviceFigures, { ...noFigures, ending_30: 3 });
  const figures = api.hold(readDeviceFigures);
  await open('/dashboard', 'company-admin');
  const main = page.getByRole('main');
  await expect(main.getByRole('region', { name: 'Quick links' }).getByRole('link')).toHaveCount(3);
  await expect(main.getByRole('region', { name: 'Running tickets' })).toContainText('Nothing is running.');
  const devices = main.getByRole('region', { name: 'Known devices' });
  await expect(devices).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page);
  figures.letGo();
  await expect(devices.getByRole('link')).toHaveCount(1);
  await expect(main.getByRole('region', { name: 'Needs attention' })).toContainText('Nothing');
  const places = [
    main.getByRole('heading', { name: 'Running tickets' }),
    main.getByText('Account Type', { exact: true }),
    main.getByRole('heading', { name: 'Quick links' }),
    main.getByRole('heading', { name: 'Devices by activation' }),
  ].map(async (part) => (await part.boundingBox())?.y ?? 0);
  const tops = await Promise.all(places);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  await expect(main.getByText('Company administrator', { exact: true })).toBeVisible();
  await expect(page.locator('.side-role')).toHaveText('Company administrator');
  // On a tablet, no panel stands alone in a line.
  await page.setViewportSize({ width: 820, height: 1180 });
  const panels = page.locator('.now-panel');
  await expect(panels).toHaveCount(4);
  const lines = () =>
    panels.evaluateAll((all) => all.map((panel) => Math.round(panel.getBoundingClientRect().top)));
  await expect.poll(async () => new Set(await lines()).size).toBe(2);
  const [first, second, third, fourth] = await lines();
  expect([second, fourth]).toEqual([first, third]);
  await page.setViewportSize({ width: 1280, height: 800 });
});
