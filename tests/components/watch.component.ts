import { getOwnCompany, listCompanyCodes } from '#features/clients/clients.contract.ts';
import { getFields } from '#features/devices/fields.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import {
  confirmSubscription,
  getWatch,
  putWatch,
  readConfirmation,
  readSubscription,
  unsubscribe,
} from '#features/watch/watch.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { runOn } from '#tests/support/browser/geometry.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { takePictures } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';
import { settled } from '#tests/support/browser/settled.ts';

const watch = {
  active: true,
  cadence: 'weekly' as const,
  day: 1,
  horizon_days: 30,
  language: 'en' as const,
  receivers: ['ayu@example.test'],
  group_by: null as string | null,
  unconfirmed: [] as string[],
  ics_url: 'http://localhost/api/calendar/secret.ics',
  next_on: '2026-11-30',
  ends_from: '2026-11-25',
  ends_to: '2026-12-25',
  version: 3,
};

function answerCompany(api: FakeApi): void {
  api.answer(getOwnCompany, {
    client: { _id: '1', company_name: 'Acme', company_code: 'ACM001', status: '1', bill_known: true },
  });
}

test('a superadmin first chooses a client; a failed save keeps what was typed', async ({
  page,
  api,
  open,
}) => {
  api.answer(listCompanyCodes, { data: [{ company_code: 'QUO001', company_name: 'Quokka' }] });
  api.answer(getWatch, watch);
  api.refuse(putWatch, 503, 'The database does not answer');
  await open('/dashboard/watch', 'superadmin');
  await expect(page.getByText('Its expiry watch appears here.')).toBeVisible();
  await page.getByLabel('Company Code').fill('quo001');
  await page.getByRole('option', { name: /QUO001/ }).click();
  await page.setViewportSize({ width: 390, height: 640 });
  await page.getByLabel('Days ahead').fill('60');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toHaveText(/does not answer/);
  await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel('Days ahead')).toHaveValue('60');
});

test('what was saved counts as stored: a later conflict keeps only what was changed after it', async ({
  page,
  api,
  open,
}) => {
  answerCompany(api);
  api.answer(getWatch, watch);
  api.answer(putWatch, { ...watch, horizon_days: 45, version: 4 });
  await open('/dashboard/watch', 'user');
  const daysAhead = page.getByLabel('Days ahead');
  const language = page.getByRole('main').getByLabel('Language');
  const save = page.getByRole('button', { name: 'Save' });
  await daysAhead.fill('45');
  await save.click();
  await expect(page.getByText('Expiry watch saved')).toBeVisible();
  api.refuse(putWatch, 409, 'These settings were changed by someone else.', { code: 'changed_meanwhile' });
  api.answer(getWatch, { ...watch, horizon_days: 60, version: 5 });
  await language.selectOption('Bahasa Indonesia');
  await save.click();
  await expect(page.getByRole('alert')).toHaveText(/^Someone else changed these settings\./);
  await expect(daysAhead).toHaveValue('60');
  await expect(language).toHaveValue('id');
  api.answer(putWatch, { ...watch, horizon_days: 60, language: 'id', version: 6 });
  await save.click();
  await expect.poll(() => api.bodiesOf(putWatch).at(-1)).toMatchObject({ horizon_days: 60, version: 5 });
});

test('a save whose answer is lost is repeated with the stored version', async ({ page, api, open }) => {
  answerCompany(api);
  api.answer(getWatch, watch);
  api.loseAnswer(putWatch);
  await open('/dashboard/watch', 'user');
  await page.getByLabel('Days ahead').fill('45');
  api.answer(getWatch, { ...watch, horizon_days: 45, language: 'id', version: 5 });
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  await expect(page.getByRole('alert')).toContainText('Failed to save the expiry watch.');
  // Changed by somebody else after the lost save.
  await expect(page.getByRole('main').getByLabel('Language')).toHaveValue('id');
  api.answer(putWatch, { ...watch, horizon_days: 45, language: 'id', version: 6 });
  await save.click();
  await expect(page.getByText('Expiry watch saved')).toBeVisible();
  expect(api.bodiesOf(putWatch).at(-1)).toMatchObject({ horizon_days: 45, language: 'id', version: 5 });
});

test('a save does not show the old settings again, also if they were read while it ran', async ({
  page,
  api,
  open,
}) => {
  answerCompany(api);
  api.answer(getWatch, watch);
  api.answer(putWatch, { ...watch, horizon_days: 45, version: 4 });
  await open('/dashboard/watch', 'user');
  const daysAhead = page.getByLabel('Days ahead');
  await daysAhead.fill('45');
  // Each value that is written to the field, also between two pictures.
  await runOn(
    daysAhead,
    `const { get, set } = Object.getOwnPropertyDescriptor(element, 'value');
    element.shown = [];
    Object.defineProperty(element, 'value', {
      configurable: true,
      get,
      set(value) { element.shown.push(value); set.call(element, value); },
    });`,
  );
  const held = api.hold(putWatch);
  await page.getByRole('button', { name: 'Save' }).click();
  const ics_url = 'http://localhost/api/calendar/renewed.ics';
  api.answer(getWatch, { ...watch, ics_url });
  await expect(async () => {
    await lookAgain(page);
    await expect(page.locator('input[value*="/api/calendar/"]')).toHaveValue(ics_url, { timeout: 500 });
  }).toPass();
  held.letGo();
  await expect(page.getByText('Expiry watch saved')).toBeVisible();
  await settled(page);
  expect(await runOn<string[]>(daysAhead, 'return element.shown;')).not.toContain('30');
  await expect(daysAhead).toHaveValue('45');
});

test('what is typed while a save runs stays', async ({ page, api, open }) => {
  answerCompany(api);
  api.answer(getWatch, watch);
  api.answer(putWatch, { ...watch, version: 4 });
  await open('/dashboard/watch', 'user');
  const held = api.hold(putWatch);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByLabel('Days ahead').fill('45');
  held.letGo();
  await expect(page.getByText('Expiry watch saved')).toBeVisible();
  await expect(page.getByLabel('Days ahead')).toHaveValue('45');
});

test('what changes elsewhere shows while the screen is open, except what is typed', async ({
  page,
  api,
  open,
}) => {
  answerCompany(api);
  api.answer(getWatch, watch);
  await open('/dashboard/watch', 'user');
  await page.getByLabel('Days ahead').fill('45');
  const ics_url = 'http://localhost/api/calendar/renewed.ics';
  api.answer(getWatch, { ...watch, ics_url, unconfirmed: ['budi@example.test'], next_on: '2026-12-07' });
  const address = page.locator('input[value*="/api/calendar/"]');
  await expect(async () => {
    await lookAgain(page);
    await expect(address).toHaveValue(ics_url, { timeout: 500 });
  }).toPass();
  await expect(page.getByText(/have not confirmed.*: budi@example\.test/)).toBeVisible();
  await expect(page.getByLabel('Days ahead')).toHaveValue('45');
});

test('an untouched form shows what a colleague saved, and is saved on top of it', async ({
  page,
  api,
  open,
}) => {
  answerCompany(api);
  api.answer(getWatch, watch);
  await open('/dashboard/watch', 'user');
  const active = page.getByRole('switch');
  await expect(active).toBeChecked();
  const changed = { ...watch, active: false, cadence: 'monthly' as const, day: 12, version: 4 };
  api.answer(getWatch, changed);
  await expect(async () => {
    await lookAgain(page);
    await expect(active).not.toBeChecked({ timeout: 500 });
  }).toPass();
  await expect(page.getByLabel('Day of the month')).toHaveValue('12');
  await page.getByLabel('Days ahead').fill('45');
  api.answer(putWatch, { ...changed, horizon_days: 45, version: 5 });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Expiry watch saved')).toBeVisible();
  const [sent] = api.bodiesOf(putWatch);
  expect(sent).toMatchObject({ active: false, cadence: 'monthly', day: 12, horizon_days: 45, version: 4 });
});

test('a read that began before a save does not bring the old settings back', async ({ page, api, open }) => {
  answerCompany(api);
  api.answer(getWatch, watch);
  await open('/dashboard/watch', 'user');
  const daysAhead = page.getByLabel('Days ahead');
  await daysAhead.fill('45');
  const held = api.hold(getWatch);
  const before = api.bodiesOf(getWatch).length;
  await expect(async () => {
    await lookAgain(page);
    await expect.poll(() => api.bodiesOf(getWatch).length, { timeout: 500 }).toBeGreaterThan(before);
  }).toPass();
  api.answer(putWatch, { ...watch, horizon_days: 45, version: 4 });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Expiry watch saved')).toBeVisible();
  held.letGo();
  await settled(page);
  await expect(daysAhead).toHaveValue('45');
});

test('an own column that was removed is not sent again', async ({ page, api, open }) => {
  answerCompany(api);
  api.answer(getFields, {
    fields: [
      { key: 'site', name: 'Site' },
      { key: 'room', name: 'Room' },
    ],
  });
  api.answer(getWatch, { ...watch, group_by: 'site' });
  await open('/dashboard/watch', 'user');
  const column = page.getByLabel('Sum the digest by');
  await expect(column).toHaveValue('site');
  await page.getByLabel('Days ahead').fill('45');
  api.answer(getFields, { fields: [{ key: 'room', name: 'Room' }] });
  api.answer(getWatch, watch);
  api.answer(getActivity, { ...quiet, register_revision: '1', fields_revision: '1' });
  await lookAgain(page);
  await expect(column.getByRole('option', { name: 'Site' })).toHaveCount(0);
  await expect(column).toHaveValue('');
  api.answer(putWatch, { ...watch, horizon_days: 45, version: 4 });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Expiry watch saved')).toBeVisible();
  expect(api.bodiesOf(putWatch)[0]).toMatchObject({ group_by: null, horizon_days: 45 });
});

test('own columns that cannot be read say so, with Retry', async ({ page, api, open }) => {
  answerCompany(api);
  api.answer(getWatch, watch);
  api.failWordless(getFields);
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await open('/dashboard/watch', 'user');
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText('Own columns could not be loaded.');
  api.answer(getFields, { fields: [{ key: 'site', name: 'Site' }] });
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByLabel('Sum the digest by')).toBeVisible();
  await expect(alert).toHaveCount(0);
});

test('the digest is summed by an own column, which only companies with such columns are offered', async ({
  page,
  api,
  open,
}) => {
  answerCompany(api);
  api.answer(getWatch, watch);
  await open('/dashboard/watch', 'user');
  await expect(page.getByLabel('Receivers')).toBeVisible();
  await expect(page.getByLabel('Sum the digest by')).toHaveCount(0);
  api.answer(getFields, { fields: [{ key: 'site', name: 'Site' }] });
  api.answer(putWatch, { ...watch, group_by: 'site' });
  await open('/dashboard/watch', 'user');
  const column = page.getByLabel('Sum the digest by');
  await expect(column).toHaveValue('');
  await column.selectOption('Site');
  await expectAccessible(page, [390, 1280]);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Expiry watch saved')).toBeVisible();
  await column.selectOption('No own column');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => api.bodiesOf(putWatch).map(({ group_by }) => group_by)).toEqual(['site', null]);
});

test('a receiver confirms before the address is removed, and an old link says that it already was', async ({
  page,
  api,
  open,
}) => {
  api.answer(readSubscription, { address: 'ayu@example.test', company_name: 'Quokka' });
  api.answer(unsubscribe, { message: 'You will receive no more mails from this expiry watch' });
  await open('/unsubscribe/00000000-0000-4000-8000-000000000000', 'user');
  await expect(page.getByText(/ayu@example\.test will receive no more mails/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(page.getByRole('status')).toHaveText(/no more mails/);
  api.refuse(readSubscription, 404, 'This link is no longer valid. The address was already removed.');
  await open('/unsubscribe/00000000-0000-4000-8000-000000000001', 'nobody');
  await expect(page.getByRole('alert')).toHaveText(/no longer valid/);
});

test('a refused receiver is named at the field until the receivers are changed', async ({
  page,
  api,
  open,
}) => {
  api.answer(listCompanyCodes, { data: [{ company_code: 'QUO001', company_name: 'Quokka' }] });
  api.answer(getWatch, watch);
  const message = 'Please enter a valid email address';
  api.refuse(putWatch, 400, message, {
    details: [
      { path: 'receivers.1', message },
      { path: 'receivers.3', message },
    ],
  });
  await open('/dashboard/watch', 'superadmin');
  await page.getByLabel('Company Code').fill('quo001');
  await page.getByRole('option', { name: /QUO001/ }).click();
  const receivers = page.getByLabel('Receivers');
  await receivers.fill('ayu@example.test\nbudi@example\ncitra@example.test, dewi');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(receivers).toHaveAccessibleDescription(
    /budi@example: Please enter a valid email address dewi: Please enter a valid email address/,
  );
  // Each in a line of its own.
  const refused = page.getByText(`dewi: ${message}`);
  expect(await runOn<string>(refused, 'return element.innerText;')).toBe(
    `budi@example: ${message}\ndewi: ${message}`,
  );
  await expect(receivers).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await takePictures(page, [390, 1280]);
  await expectAccessible(page);
  await receivers.fill('ayu@example.test');
  await expect(page.getByText(message)).toHaveCount(0);
});

test('an address that unsubscribed confirms before it is a receiver again, and the form says who has not', async ({
  page,
  api,
  open,
}) => {
  api.answer(readConfirmation, { address: 'ayu@example.test', company_name: 'Quokka' });
  api.answer(confirmSubscription, { message: 'You will receive the mails of this expiry watch again' });
  await open('/subscribe/00000000-0000-4000-8000-000000000000', 'user');
  await expect(page.getByText(/ayu@example\.test will receive the mails/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Receive mails again' }).click();
  await expect(page.getByRole('status')).toHaveText(/will receive the mails/);
  api.answer(listCompanyCodes, { data: [{ company_code: 'QUO001', company_name: 'Quokka' }] });
  api.answer(getWatch, { ...watch, unconfirmed: ['budi@example.test'] });
  await open('/dashboard/watch', 'superadmin');
  await page.getByLabel('Company Code').fill('quo001');
  await page.getByRole('option', { name: /QUO001/ }).click();
  await expect(page.getByLabel('Receivers')).toHaveValue('ayu@example.test\nbudi@example.test');
  await expect(page.getByText(/have not confirmed.*: budi@example\.test/)).toBeVisible();
});
