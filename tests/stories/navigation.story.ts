import { runOn } from '#tests/support/browser/geometry.ts';
import { goWithin } from '#tests/support/browser/go-within.ts';
import { settled } from '#tests/support/browser/settled.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { failWordless, holdRequests } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

test('Back returns to the scroll position, also after minutes; a new screen begins at its top and heading', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(60));
  await signIn(page, user);
  await page.clock.install();
  await page.goto(`/dashboard/data?ticket=${ticket}&size=50`);
  await expect(page.getByRole('row', { name: /\d{15}/ })).toHaveCount(50);
  const rows = page.getByRole('group', { name: 'Serial Data', exact: true });
  await page.evaluate(`scrollTo(0, 200)`);
  await runOn(rows, 'element.scrollTo(0, 300)');
  const scrolled = async () => [
    await page.evaluate<number>('scrollY'),
    await runOn<number>(rows, 'return element.scrollTop'),
  ];
  await expect.poll(scrolled).toEqual([200, 300]);
  const heading = page.getByRole('heading', { level: 1 });
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Tracker' }).click();
  await expect(heading).toHaveText('Tracker');
  await expect(heading).toBeFocused();
  await expect.poll(() => page.evaluate('scrollY')).toBe(0);
  // By now the cache has dropped the first screen's answers, so they are read again.
  await page.clock.runFor(5 * 60_000);
  await page.goBack();
  await expect(heading).toHaveText('Data Management');
  await expect.poll(scrolled).toEqual([200, 300]);
  await page.goForward();
  await expect(heading).toHaveText('Tracker');
  await expect.poll(() => page.evaluate('scrollY')).toBe(0);
});

test.describe('parts of the app that cannot be loaded', () => {
  test.use({ allowedComplaints: [/status of 500/] });

  test('parts of the app that are late or cannot be loaded are announced, and the page stays', async ({
    page,
    user,
    signIn,
  }) => {
    const sorry = 'This page could not be shown. Please try again.';
    const heading = page.getByRole('heading', { level: 1 });
    await failWordless(page, '**/assets/{palette-dialog,forgot-password-page}-*.js');
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.goto('/forgot-password');
    // The server answers, so the page reloads, but only one time.
    await expect.poll(() => loads).toBe(2);
    await expect(page.getByRole('alert')).toHaveText(sorry);

    await signIn(page, user);
    await failWordless(page, '**/assets/screens-*.js');
    await page.goto('/dashboard');
    await expect(page.getByRole('alert')).toHaveText(sorry);
    expect(loads).toBe(3);
    await page.unroute('**/assets/screens-*.js');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(heading).toBeVisible();

    await page.getByRole('button', { name: 'Search or jump to' }).click();
    await expect(page.getByRole('alert')).toHaveText('This could not be loaded. Please try again.');
    await expect(heading).toBeVisible();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Search or jump to' }).click();
    const palette = page.getByRole('dialog', { name: 'Search or jump to' });
    await expect(palette).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();

    await settled(page);
    await page.getByRole('button', { name: user.email }).click();
    const code = await holdRequests(page, 'GET', /\/assets\/tokens-page-.*\.js/);
    await page.getByRole('link', { name: 'API tokens' }).click();
    const loading = page.getByRole('banner').getByText('Loading…');
    await expect(loading).toBeAttached();
    code.letGo();
    await expect(page.getByRole('heading', { level: 1, name: 'API tokens' })).toBeFocused();
    await expect(loading).toHaveCount(0);
  });
});

test.describe('a part of the app that could not be loaded once', () => {
  test.use({ allowedComplaints: [/status of 500/] });

  test('a screen whose code could not be fetched loads by itself while the server answers', async ({
    page,
    user,
    signIn,
  }) => {
    await signIn(page, user);
    await page.goto('/dashboard');
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toBeVisible();
    let isReloaded = false;
    page.on('request', (request) => {
      isReloaded ||= request.isNavigationRequest();
    });
    await page.route('**/assets/change-password-page-*.js', (route) =>
      isReloaded ? route.fallback() : route.fulfill({ status: 500, body: '' }),
    );
    await goWithin(page, '/dashboard/change-password');
    await expect(heading).toHaveText('Change Password');
    expect(isReloaded).toBe(true);
  });

  test('the settings of a table that could not be loaded are announced, and the next press opens them', async ({
    page,
    superadmin,
    signIn,
  }) => {
    await signIn(page, superadmin);
    await failWordless(page, '**/assets/table-settings-panel-*.js');
    await page.goto('/dashboard/users');
    const users = page.getByRole('region', { name: 'All users' });
    const button = users.getByRole('button', { name: 'Table settings' });
    await button.click();
    await expect(page.getByRole('alert')).toHaveText('This could not be loaded. Please try again.');
    await page.unrouteAll();
    await button.click();
    await expect(page.getByRole('dialog', { name: 'Table settings' })).toBeVisible();
  });

  test('the list of common passwords that could not be fetched once is used when it is, and fetched no more', async ({
    page,
    user,
    signIn,
  }) => {
    await signIn(page, user);
    const list = /common-passwords/;
    await page.route(list, (route) => route.fulfill({ status: 500, body: '' }));
    const failed = page.waitForResponse(list);
    await page.goto('/dashboard/change-password');
    await failed;
    await page.unroute(list);
    let fetches = 0;
    page.on('request', (request) => {
      if (list.test(request.url())) fetches += 1;
    });
    const rule = page.getByRole('listitem').filter({ hasText: 'Not one of the most common passwords' });
    const visit = async () => {
      await goWithin(page, '/dashboard');
      await goWithin(page, '/dashboard/change-password');
      await page.getByLabel('New Password', { exact: true }).fill('brand new words');
      await expect(rule).toContainText('(met)', { timeout: 3000 });
    };
    // The page may hear of the failure only now, and then not fetch the list again before the next visit.
    await expect(visit).toPass();
    await visit();
    await page.getByLabel('New Password', { exact: true }).fill('password123');
    await expect(rule).toContainText('(not met yet)');
    expect(fetches).toBe(1);
  });
});

test.describe('a browser that is offline', () => {
  test.use({ allowedComplaints: [/ERR_INTERNET_DISCONNECTED/] });

  test('a screen whose code could not be fetched loads by itself when the network is back', async ({
    page,
    user,
    signIn,
  }) => {
    await signIn(page, user);
    await page.goto('/dashboard');
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toBeVisible();
    await page.context().setOffline(true);
    await goWithin(page, '/dashboard/change-password');
    await expect(page.getByText('This page could not be shown. Please try again.')).toBeVisible();
    await page.context().setOffline(false);
    await expect(heading).toHaveText('Change Password');
  });
});
