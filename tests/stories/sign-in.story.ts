import { expect, test } from '#tests/support/browser/test.ts';
import { makeUser } from '#tests/support/stories/api.ts';

test.use({ allowedComplaints: [/status of 401/] });

test('signing in leads to Home, logging out back to sign-in', async ({ page, user }) => {
  await page.goto('/');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('heading', { name: 'Welcome Back!' })).toBeVisible();
  await expect(page.getByText('Sign in to know amazing things today')).toBeVisible();
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(await page.evaluate(() => localStorage.getItem('token')?.split('.').length)).toBe(3);

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('signing in leads to the page that was first requested', async ({ page, user }) => {
  await page.goto('/dashboard/data?view=uploaded');
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/dashboard\/data\?view=uploaded$/);
});

test('"Remember me" keeps the email, and forgets it when unticked', async ({ page, user }) => {
  const signIn = async () => {
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
  };
  await page.goto('/login');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Remember me').check();
  // A tick is white, so it shows on the product's colour alone.
  await expect(page.getByLabel('Remember me')).toHaveCSS('background-color', 'rgb(15, 107, 101)');
  await signIn();
  expect(await page.evaluate(() => localStorage.getItem('rememberedEmail'))).toBe(user.email);

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(user.email);
  await expect(page.getByLabel('Remember me')).toBeChecked();
  await page.getByLabel('Remember me').uncheck();
  await signIn();
  expect(await page.evaluate(() => localStorage.getItem('rememberedEmail'))).toBeNull();
});

test('signed in, the signed-out screens and unknown addresses lead to the dashboard', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  for (const path of ['/login', '/forgot-password', '/reset-password/any', '/', '/nowhere']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard$/);
  }
});

test('without a session every screen but the open ones leads to sign-in', async ({ page }) => {
  for (const path of ['/', '/nowhere', '/logout', '/dashboard', '/dashboard/tickets', '/dashboard/nowhere']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/login$/);
  }
  await page.goto('/forgot-password');
  await expect(page.getByRole('heading', { name: 'Forgot Password' })).toBeVisible();
});

test('another tab that logs out ends the session here, too', async ({ page, context, user, signIn }) => {
  await signIn(page, user);
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  const other = await context.newPage();
  await other.goto('/logout');
  await expect(other).toHaveURL(/\/login$/);
  await expect(page).toHaveURL(/\/login$/);
});

test('a session that the server ended leads to sign-in with its message', async ({ page, signIn }) => {
  const user = await makeUser();
  await signIn(page, user);
  await page.goto('/dashboard');
  await page.evaluate(() => {
    // A token that reads well but that the server never signed.
    const [head, payload] = (localStorage.getItem('token') ?? '').split('.');
    localStorage.setItem('token', `${head}.${payload}.AAAA`);
  });
  await page.goto('/dashboard/tracker');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toHaveText('Invalid token format');
});

for (const scheme of ['light', 'dark'] as const) {
  test.describe(`on a ${scheme} system`, () => {
    test.use({ colorScheme: scheme });

    test('sign-in begins in English and in the theme of the system, with both switches', async ({ page }) => {
      await page.goto('/login');
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
      await expect(page.getByLabel('Theme')).toHaveValue('auto');
      await expect(page.getByLabel('Language')).toHaveValue('en');
      const options = page.getByLabel('Language').getByRole('option');
      await expect(options).toHaveText(['English', 'Bahasa Indonesia']);
      await expect(page.getByLabel('Theme').getByRole('option')).toHaveText(['Light', 'Dark', 'System']);
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(page.getByRole('banner').getByText('Coverdesk')).toBeVisible();
    });
  });
}

for (const [locale, language] of [
  ['id-ID', 'id'],
  ['fr-FR', 'en'],
] as const) {
  test.describe(`in a browser whose language is ${locale}`, () => {
    test.use({ locale });

    test('the first visit follows the language of the browser, and a choice stays', async ({ page }) => {
      await page.goto('/login');
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      const button = { en: 'Sign In', id: 'Masuk' };
      await expect(page.getByRole('button', { name: button[language] })).toBeVisible();
      const other = language === 'en' ? 'id' : 'en';
      await page.getByRole('combobox').last().selectOption(other);
      await page.reload();
      await expect(page.getByRole('button', { name: button[other] })).toBeVisible();
    });
  });
}
