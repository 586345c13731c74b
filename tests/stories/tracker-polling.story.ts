import { figuresOf } from '#tests/support/browser/figures.ts';
import { setHidden } from '#tests/support/browser/hidden.ts';
import { listCalls, pauseClock, stepUntil } from '#tests/support/browser/page-clock.ts';
import { settled } from '#tests/support/browser/settled.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { patchAnswers } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

const seconds = 1000;

test('a selected ticket is asked about every 5 seconds while it is Pending or Processing and auto-refresh is on', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(3));
  // A finished ticket stands still; only its status is set here, so that every poll is one for certain.
  const answer = { status: 'Pending', done: 1, failed: 0, remaining: 2, percent: 33 };
  await patchAnswers<object>(page, '**/api/tickets/progress?*', (progress) =>
    Object.assign(progress, answer),
  );
  await signIn(page, user);
  await page.clock.install();
  const polls = listCalls(page, '/tickets/progress');
  const rows = listCalls(page, '/imei');
  await page.goto(`/dashboard/tracker?ticket=${ticket}`);
  await expect(page.getByRole('switch', { name: 'Auto-refresh' })).toBeChecked();
  await expect(page.getByRole('table', { name: 'Serial Data' })).toBeVisible();
  await pauseClock(page);
  const shows = (percent: number) => async () =>
    (await page.getByRole('main').getByText(`${percent}%`, { exact: true }).count()) > 0;

  // The beat is found first: the next poll is due 5 seconds after an answer has come.
  answer.percent = 34;
  await stepUntil(page, 500, shows(34));
  const before = { polls: polls.length, rows: rows.length };
  await page.clock.runFor(3.5 * seconds);
  expect({ polls: polls.length, rows: rows.length }).toEqual(before);

  Object.assign(answer, { status: 'Processing', done: 2, percent: 67 });
  await page.clock.runFor(1.5 * seconds);
  await expect.poll(() => polls.length).toBe(before.polls + 1);
  await stepUntil(page, 10, shows(67));
  const figures = [/^Completed2/, 'Total Rows3', 'Completion %67%'];
  await expect(figuresOf(page)).toHaveText(figures);
  await stepUntil(page, 10, () => rows.length === before.rows + 1);
  await page.clock.runFor(4 * seconds);
  expect(polls.length).toBe(before.polls + 1);
  answer.percent = 68;
  await stepUntil(page, 500, shows(68));
  expect(polls.length).toBe(before.polls + 2);

  await page.getByRole('switch', { name: 'Auto-refresh' }).uncheck();
  await page.clock.runFor(30 * seconds);
  expect(polls.length).toBe(before.polls + 2);

  await page.getByRole('button', { name: 'Refresh' }).click();
  await stepUntil(page, 10, () => polls.length === before.polls + 3);
  await stepUntil(page, 10, () => rows.length === before.rows + 2);
});

test('other screens than Home and the tracker load no progress, and poll activity only while visible', async ({
  page,
  user,
  signIn,
}) => {
  await uploadAndFinish(user, makeImeis(2));
  await signIn(page, user);
  await page.clock.install();
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/tickets')) asked.push(pathname);
  });
  const activity = '/api/tickets/activity';
  await page.goto('/dashboard/change-password');
  await expect.poll(() => asked).toEqual([activity]);
  await settled(page);
  expect(asked).toEqual([activity]);
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await menu.getByRole('link', { name: 'Tracker' }).click();
  await expect(page.getByRole('table', { name: 'Serial Data' })).toBeVisible();
  await page.getByRole('link', { name: 'Change Password' }).click();
  await expect(page.getByLabel('Current Password')).toBeVisible();
  await pauseClock(page, 600 * seconds);
  asked.length = 0;
  await page.clock.runFor(5 * seconds);
  expect(asked).toEqual([]);
  await stepUntil(page, 5 * seconds, () => asked.length > 0);
  expect(asked).toEqual([activity]);

  // A question that is still under way would be taken for the one that the return to the page asks.
  await settled(page);
  await page.clock.runFor(1 * seconds);
  await setHidden(page, true);
  await page.clock.runFor(600 * seconds);
  expect(asked).toEqual([activity]);
  await setHidden(page, false);
  await expect.poll(() => asked).toEqual([activity, activity]);
});
