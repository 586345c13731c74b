import type { Watch } from '#features/watch/watch.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { call, tokenOf } from '#tests/support/stories/api.ts';

test('a user sets up the expiry watch, renews the address of the calendar, and shows the devices', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard');
  await page
    .getByRole('navigation', { name: 'Main menu' })
    .getByRole('link', { name: 'Expiry watch' })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Expiry watch' })).toBeVisible();
  await expect(page.getByText('No mail is planned while the watch is switched off')).toBeVisible();
  await page.getByLabel('Send the digest').press('Space');
  await page.getByLabel('How often').selectOption('Monthly');
  await page.getByLabel('Day of the month').selectOption('28');
  await page.getByLabel('Days ahead').fill('90');
  await page.getByLabel('Receivers').fill('ayu@example.test, budi.santoso.wijayakusuma@example.test');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/if there is something new/)).toBeVisible();
  await expectAccessible(page);
  await takePictures(page, allWidths);

  const address = page.getByLabel('Secret address');
  const old = await address.inputValue();
  expect(await (await page.request.get(old)).text()).toContain('BEGIN:VCALENDAR');
  await page.getByRole('button', { name: 'Renew address' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click();
  await expect(address).not.toHaveValue(old);
  expect((await page.request.get(old)).status()).toBe(404);

  await page.reload();
  await expect(page.getByLabel('Receivers')).toHaveValue(/ayu@example\.test\nbudi/);
  await page.getByRole('link', { name: 'Show the devices now' }).click();
  await expect(page).toHaveURL(/devices\?company_code=.*&ends_from=.*&ends_to=/);
});

test.describe('two people', () => {
  test.use({ allowedComplaints: [/status of 409/] });

  test('what was typed stays when somebody else has changed the settings', async ({ page, user, signIn }) => {
    await signIn(page, user);
    await page.goto('/dashboard/watch');
    await page.getByLabel('Days ahead').fill('45');
    const token = await tokenOf(user);
    const path = `/watch/${user.companyCode}`;
    const stored = await call<Watch>('GET', path, undefined, token);
    const { active, cadence, day, language, horizon_days, version } = stored;
    const receivers = ['ayu@example.test'];
    const body = { active, cadence, day, language, horizon_days, receivers, version };
    await call('PUT', path, body, token);
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    await expect(
      page.getByRole('alert').filter({ hasText: 'Someone else changed these settings.' }),
    ).toBeVisible();
    await expect(page.getByLabel('Days ahead')).toHaveValue('45');
    await expect(page.getByLabel('Receivers')).toHaveValue('ayu@example.test');
    await save.click();
    await expect(page.getByText('Expiry watch saved')).toBeVisible();
    await expect(page.getByText('Someone else changed these settings.')).toHaveCount(0);
    const saved = await call<Watch>('GET', path, undefined, token);
    expect([saved.horizon_days, saved.receivers]).toEqual([45, receivers]);
  });
});
