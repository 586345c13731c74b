import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import {
  createWebhook,
  deleteWebhook,
  getDelivery,
  listDeliveries,
  listWebhooks,
  redeliver,
  renewWebhookSecret,
  testWebhook,
  updateWebhook,
  type Webhook,
  type WebhookDelivery,
} from '#features/webhooks/webhooks.contract.ts';
import { describePage } from '#shared/describe-page.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { doubleClick } from '#tests/support/browser/double-click.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { pageOf } from '#tests/support/browser/paging.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/screen.ts';
import { settled } from '#tests/support/browser/settled.ts';

const path = '/dashboard/webhooks';
const webhook: Webhook = {
  _id: '3',
  url: 'https://integration.quokka-telecommunications.example/coverdesk/events?tenant=jakarta-timur',
  events: ['ticket.completed', 'ticket.cancelled', 'device.changed'],
  active: true,
  company_code: 'ACM001',
  created_by: 'Ayu Lestari',
  created_at: '2026-11-23T08:30:00.000Z',
  failing_since: null,
  switched_off_at: null,
  old_secret_until: null,
  version: 3,
};
/** Every screen agrees within ten seconds. */
const soon = { timeout: 12_000 };
const host = 'integration.quokka-telecommunications.example';
const delivery: WebhookDelivery = {
  _id: '12',
  event: 'ticket.completed',
  at: '2026-11-23T08:30:00.000Z',
  attempts: 11,
  status: 'failed',
  response_status: 503,
  error: 'HTTP 503',
  attempted_at: '2026-11-24T08:36:00.000Z',
  duration_ms: 1234,
  next_at: null,
};

test('a company administrator creates a webhook after a refusal, and sees its secret once', async ({
  page,
  api,
  open,
}) => {
  api.answer(listWebhooks, pageOf<Webhook>([]));
  api.refuse(createWebhook, 400, 'Webhooks cannot be sent to private addresses');
  await open(path, 'company-admin');
  await expect(page.getByText('No webhooks')).toBeVisible();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const form = page.getByRole('dialog', { name: 'Create a webhook' });
  await expect(form.getByRole('checkbox')).toHaveCount(4);
  await form.getByLabel('Address').fill('https://10.0.0.1/');
  await form.getByLabel('Ticket cancelled').check();
  await form.getByRole('button', { name: 'Create webhook' }).click();
  await expect(form.getByRole('alert')).toContainText('private addresses');
  await expectAccessible(page, allWidths);
  api.answer(createWebhook, { ...webhook, secret: 'whsec_c2VjcmV0' });
  api.answer(listWebhooks, pageOf([webhook]));
  await form.getByRole('button', { name: 'Create webhook' }).click();
  const shown = page.getByRole('dialog', { name: 'The new secret of your webhook' });
  await expect(shown.getByText('whsec_c2VjcmV0')).toBeVisible();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row').filter({ hasText: host })).toContainText('Active');
  await expect(page.getByText('whsec_')).toHaveCount(0);
});

test('on a phone a webhook is a card, whose state and actions are in sight', async ({ page, api, open }) => {
  api.answer(listCompanyCodes, { data: [{ company_code: 'ACM001', company_name: 'Acme' }] });
  api.answer(listWebhooks, pageOf([webhook]));
  await page.setViewportSize({ width: 360, height: 844 });
  await open(path, 'superadmin');
  const table = page.getByRole('table', { name: 'Webhooks' });
  await expect(table.getByText('Active', { exact: true })).toBeInViewport({ ratio: 1 });
  await expect(table.getByText('ACM001')).toBeInViewport({ ratio: 1 });
  await expect(table.getByRole('button', { name: `Actions for ${host}` })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, [360]);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a superadmin sees which webhooks fail, changes one and deletes one', async ({ page, api, open }) => {
  const off: Webhook = {
    ...webhook,
    _id: '4',
    url: 'https://off.example/',
    company_code: null,
    events: ['source.down'],
    active: false,
    switched_off_at: '2026-11-24T08:30:00.000Z',
  };
  const failing = { ...webhook, failing_since: '2026-11-24T08:30:00.000Z' };
  api.answer(listCompanyCodes, { data: [{ company_code: 'ACM001', company_name: 'Acme' }] });
  api.answer(listWebhooks, pageOf([off, failing]));
  api.answer(updateWebhook, { ...off, active: true, switched_off_at: null });
  await open(path, 'superadmin');
  await expect(page.getByRole('row').filter({ hasText: host })).toContainText('Failing');
  const row = page.getByRole('row').filter({ hasText: 'off.example' });
  await expect(row).toContainText('All companies');
  await expect(row).toContainText('Switched off');
  await expectAccessible(page, allWidths);
  await page.getByRole('button', { name: 'Actions for off.example' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit webhook' });
  await expect(form.getByLabel('Source available again')).toBeVisible();
  await form.getByRole('switch', { name: 'Active' }).check();
  api.answer(listWebhooks, pageOf([{ ...off, active: true, switched_off_at: null }, failing]));
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Active');
  api.answer(deleteWebhook, { message: 'Webhook deleted' });
  await page.getByRole('button', { name: 'Actions for off.example' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  api.answer(listWebhooks, pageOf([failing]));
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
});

test('a stale form keeps what was chosen; opened again, it has the present settings', async ({
  page,
  api,
  open,
}) => {
  api.answer(listWebhooks, pageOf([webhook]));
  await open(path, 'company-admin');
  const edit = async () => {
    await page.getByRole('button', { name: `Actions for ${host}` }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
  };
  await edit();
  const form = page.getByRole('dialog', { name: 'Edit webhook' });
  await form.getByLabel('Ticket cancelled').uncheck();
  api.refuse(updateWebhook, 409, 'These settings were changed by someone else.', {
    code: 'changed_meanwhile',
  });
  const off = { ...webhook, active: false, version: 4 };
  api.answer(listWebhooks, pageOf([off]));
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toHaveText(/^Someone else changed these settings\./);
  await expect(form.getByLabel('Ticket cancelled')).not.toBeChecked();
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);
  await edit();
  await expect(form.getByRole('switch', { name: 'Active' })).not.toBeChecked();
  api.answer(updateWebhook, off);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
  expect(api.bodiesOf(updateWebhook).map(({ active, version }) => [active, version])).toEqual([
    [true, 3],
    [false, 4],
  ]);
});

test('a company administrator renews a secret after a failure, and sees the new one once', async ({
  page,
  api,
  open,
}) => {
  api.answer(listWebhooks, pageOf([webhook]));
  api.failWordless(renewWebhookSecret);
  await open(path, 'company-admin');
  await page.getByRole('button', { name: `Actions for ${host}` }).click();
  await page.getByRole('menuitem', { name: 'Renew secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'Renew secret' });
  await expect(dialog).toContainText('24 hours');
  await dialog.getByRole('button', { name: 'Renew secret' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Nothing was changed');
  await expectAccessible(page, allWidths);
  api.answer(renewWebhookSecret, { ...webhook, secret: 'whsec_bmV3' });
  await dialog.getByRole('button', { name: 'Renew secret' }).click();
  const shown = page.getByRole('dialog', { name: 'The new secret of your webhook' });
  await expect(shown.getByText('whsec_bmV3')).toBeVisible();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('whsec_')).toHaveCount(0);
});

test('a delivery that was given up shows message and answer, and is sent again', async ({
  page,
  api,
  open,
}) => {
  api.answer(listWebhooks, pageOf([webhook]));
  api.answer(listDeliveries, pageOf([delivery]));
  api.answer(getDelivery, {
    ...delivery,
    webhook_id: 'msg_12',
    request_body: JSON.stringify({
      type: delivery.event,
      timestamp: delivery.at,
      data: { ticket_number: '12' },
    }),
    response_body: 'upstream connect error or disconnect/reset before headers',
  });
  await open(`${path}?webhook=3`, 'company-admin');
  const list = page.getByRole('list', { name: 'Deliveries' });
  await expect(list).toContainText('Given up');
  await expect(list).toContainText('Answer 503 after 1,234 ms');
  await expectAccessible(page, allWidths);
  await list.getByRole('button', { name: /^Details of Ticket completed/ }).click();
  await expect(list.getByText('"ticket_number": "12"')).toBeVisible();
  await expect(list.getByText('upstream connect error')).toBeVisible();
  await expectAccessible(page, allWidths);
  api.answer(redeliver, { ...delivery, status: 'waiting', next_at: delivery.at });
  api.answer(listDeliveries, pageOf([{ ...delivery, status: 'waiting' as const, next_at: delivery.at }]));
  await doubleClick(page, list.getByRole('button', { name: /^Deliver again: Ticket completed/ }));
  await expect(list).toContainText('Waiting');
  expect(api.bodiesOf(redeliver)).toHaveLength(1);

  // Nothing waits: other deliveries come by the poll that all screens have, and so does what is open.
  const delivered = { ...delivery, status: 'delivered' as const, response_status: 204, attempts: 12 };
  api.answer(listDeliveries, pageOf([delivered]));
  await expect(list).not.toContainText('Waiting');
  api.answer(getDelivery, {
    ...delivered,
    webhook_id: 'msg_12',
    request_body: '{}',
    response_body: 'taken by the second server',
  });
  api.answer(listDeliveries, pageOf([{ ...delivery, _id: '13', event: 'ticket.cancelled' }, delivered]));
  await expect(list).toContainText('Ticket cancelled', soon);
  await expect(list.getByText('taken by the second server')).toBeVisible(soon);
});

test('the next page of deliveries keeps the present one, and the focus, until it is there', async ({
  page,
  api,
  open,
}) => {
  api.answer(listWebhooks, pageOf([webhook]));
  const answerPage = (number: number) =>
    api.answer(listDeliveries, { data: [delivery], pagination: describePage(number, 10, 11) });
  answerPage(1);
  await open(`${path}?webhook=3`, 'company-admin');
  const next = page.getByRole('button', { name: 'Next page' });
  await expect(next).toBeVisible();
  answerPage(2);
  const held = api.hold(listDeliveries);
  await next.press('Enter');
  await expect(page.getByRole('list', { name: 'Deliveries' })).toContainText('Ticket completed');
  held.letGo();
  await expect(next).toBeDisabled();
  await expect(next).toBeFocused();
});

test('a double click or a key that is held down sends one test', async ({ page, api, open }) => {
  api.answer(listWebhooks, pageOf([webhook]));
  api.answer(listDeliveries, pageOf([]));
  api.answer(testWebhook, delivery);
  await open(`${path}?webhook=3`, 'company-admin');
  const send = page.getByRole('button', { name: 'Send a test' });
  await doubleClick(page, send, () => expect(send).toBeEnabled());
  await expect(page.getByText('Test queued')).toHaveCount(1);
  await expect(send).toBeEnabled();
  expect(api.bodiesOf(testWebhook)).toHaveLength(1);
  await send.focus();
  await page.keyboard.down('Enter');
  await expect.poll(() => api.bodiesOf(testWebhook)).toHaveLength(2);
  await expect(send).toBeEnabled();
  await send.focus();
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await send.press('Enter');
  await expect.poll(() => api.bodiesOf(testWebhook)).toHaveLength(3);
});

test('a test that was queued does not lead back a user who has left the screen', async ({
  page,
  api,
  open,
}) => {
  api.answer(listWebhooks, pageOf([webhook]));
  api.answer(testWebhook, delivery);
  const held = api.hold(testWebhook);
  await open(path, 'company-admin');
  await page.getByRole('button', { name: `Actions for ${host}` }).click();
  await page.getByRole('menuitem', { name: 'Send a test' }).click();
  await page.getByRole('link', { name: 'Change Password' }).click();
  await expect(page).toHaveURL('/dashboard/change-password');
  held.letGo();
  await expect(page.getByText('Test queued')).toBeVisible();
  await settled(page);
  await expect(page).toHaveURL('/dashboard/change-password');
});

test('webhooks and deliveries that cannot be read say so, with a Retry that stays while they are read again', async ({
  page,
  api,
  open,
}) => {
  api.failWordless(listWebhooks);
  await open(path, 'company-admin');
  const retry = page.getByRole('button', { name: 'Retry' });
  await retry.focus();
  const callsBefore = api.bodiesOf(listWebhooks).length;
  // Looking again reads the running tickets: their answer says that the server is there.
  await lookAgain(page);
  await expect.poll(() => api.bodiesOf(listWebhooks).length).toBeGreaterThan(callsBefore);
  await expect(retry).toBeFocused();
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  api.answer(listWebhooks, pageOf([webhook]));
  api.failWordless(listDeliveries);
  await retry.click();
  await page.getByRole('row').filter({ hasText: host }).getByRole('button').first().click();
  await expect(retry).toBeVisible();
});

test('an open webhook that is deleted elsewhere stays, and says so', async ({ page, api, open }) => {
  api.answer(listWebhooks, pageOf([webhook]));
  api.answer(listDeliveries, pageOf([delivery]));
  await open(`${path}?webhook=3`, 'company-admin');
  const list = page.getByRole('list', { name: 'Deliveries' });
  await expect(list).toContainText('Given up');
  const gone = 'Webhook not found. It may have been deleted; reload the list.';
  api.answer(listWebhooks, pageOf<Webhook>([]));
  api.refuse(listDeliveries, 404, gone);
  await lookAgain(page);
  await expect(page.getByText(gone)).toBeVisible();
  await expect(page.getByText('No webhooks')).toBeAttached();
  await expect(list).toContainText('Given up');
  await expectAccessible(page, allWidths);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(list).toHaveCount(0);
  await expect(page).toHaveURL(path);
});

test('the form of a webhook that leaves the list keeps the settings that were read last', async ({
  page,
  api,
  open,
}) => {
  api.answer(listWebhooks, pageOf([webhook]));
  await open(path, 'company-admin');
  await page.getByRole('button', { name: `Actions for ${host}` }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit webhook' });
  const address = dialog.getByLabel('Address');
  const changed = { ...webhook, url: 'https://changed.example/', version: 4 };
  api.answer(listWebhooks, pageOf([changed]));
  await expect(async () => {
    await lookAgain(page);
    await expect(address).toHaveValue(changed.url, { timeout: 500 });
  }).toPass();
  api.answer(listWebhooks, pageOf<Webhook>([]));
  await expect(async () => {
    await lookAgain(page);
    await expect(page.getByText('No webhooks')).toBeAttached({ timeout: 500 });
  }).toPass();
  await expect(address).toHaveValue(changed.url);
  api.answer(updateWebhook, changed);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  const { url, events, active, version } = changed;
  expect(api.bodiesOf(updateWebhook)).toEqual([{ url, events, active, version }]);
});

test('a deleted webhook closes its deliveries, and another company or page does, too', async ({
  page,
  api,
  open,
}) => {
  await page.setViewportSize({ width: 1700, height: 900 });
  api.answer(listCompanyCodes, { data: [{ company_code: 'ACM001', company_name: 'Acme' }] });
  api.answer(listDeliveries, pageOf([]));
  api.answer(deleteWebhook, { message: 'Webhook deleted' });
  const pageOfTwo = (number: number) => ({ data: [webhook], pagination: describePage(number, 10, 11) });
  api.answer(listWebhooks, pageOfTwo(1));
  await open(`${path}?webhook=3`, 'superadmin');
  const panel = page.getByRole('heading', { name: `Deliveries to ${host}` });
  await expect(panel).toBeVisible();
  api.answer(listWebhooks, pageOfTwo(2));
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL(`${path}?page=2`);
  await expect(panel).toHaveCount(0);

  const row = page.getByRole('row').filter({ hasText: host });
  await row.getByRole('button').first().click();
  await expect(panel).toBeVisible();
  await page.getByRole('combobox', { name: 'Company' }).click();
  await page.getByRole('option', { name: /ACM001/ }).click();
  await expect(page).toHaveURL(`${path}?company_code=ACM001`);
  await expect(panel).toHaveCount(0);

  await row.getByRole('button').first().click();
  await expect(panel).toBeVisible();
  await page.getByRole('button', { name: `Actions for ${host}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  api.answer(listWebhooks, pageOf<Webhook>([]));
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(panel).toHaveCount(0);
  await expect(page).not.toHaveURL(/webhook=/);
});
