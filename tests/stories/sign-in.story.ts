import { settled } from '#tests/support/browser/settled.ts';
import { expect, test } from '#tests/support/browser/test.ts';

test('signing in leads to the page that was asked for, else to Home; "Remember me" keeps the email', async ({
  page,
  context,
  user,
}) => {
  const readStored = (key: string) => page.evaluate((name) => localStorage.getItem(name), key);
  const signIn = async () => {
    await page.getByLabel('Password').fill(user.password);
    await page.getByLabel('Password').press('Enter');
  };
  await page.goto('/dashboard/data?view=uploaded');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('heading', { name: 'Welcome Back!' })).toBeVisible();
  await expect(page.getByText('Sign in to know amazing things today')).toBeVisible();
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Remember me').check();
  // A tick is white, so it shows on the product's colour alone.
  await expect(page.getByLabel('Remember me')).toHaveCSS('background-color', 'rgb(15, 107, 101)');
  await signIn();
  await expect(page).toHaveURL(/\/dashboard\/data\?view=uploaded$/);
  expect((await readStored('token'))?.split('.')).toHaveLength(3);
  expect(await readStored('rememberedEmail')).toBe(user.email);
  const heading = page.getByRole('heading', { level: 1, name: 'Data Management' });
  await expect(heading).toBeFocused();
  await page.reload();
  await expect(heading).toBeVisible();
  await settled(page);
  await expect(page.locator('body')).toBeFocused();

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await readStored('token')).toBeNull();
  await expect(page.getByLabel('Email')).toHaveValue(user.email);
  await expect(page.getByLabel('Remember me')).toBeChecked();
  await page.getByLabel('Remember me').uncheck();
  await signIn();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await readStored('rememberedEmail')).toBeNull();

  // Another tab that logs out ends the session here, too.
  const other = await context.newPage();
  await other.goto('/logout');
  await expect(other).toHaveURL(/\/login$/);
  await expect(page).toHaveURL(/\/login$/);
});

test('without a session every screen but the open ones leads to sign-in, with one the signed-out screens to Home', async ({
  page,
  user,
  signIn,
}) => {
  for (const path of ['/', '/nowhere', '/logout', '/dashboard/tickets']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/login$/);
  }
  await page.goto('/forgot-password');
  await expect(page.getByRole('heading', { name: 'Forgot Password' })).toBeVisible();
  await signIn(page, user);
  for (const path of ['/', '/nowhere', '/login', '/forgot-password', '/reset-password/any']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard$/);
  }
  await page.goto('/logout/');
  await expect(page).toHaveURL(/\/login$/);
});

for (const [locale, language, scheme] of [
  ['id-ID', 'id', 'dark'],
  ['fr-FR', 'en', 'light'],
] as const) {
  test.describe(`in a ${scheme} browser whose language is ${locale}`, () => {
    test.use({ locale, colorScheme: scheme });

    test('the first visit follows the language and the theme of the browser, and a choice stays', async ({
      page,
    }) => {
      await page.goto('/login');
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      const button = { en: 'Sign In', id: 'Masuk' };
      await expect(page.getByRole('button', { name: button[language] })).toBeVisible();
      const theme = page.getByLabel(/^(Theme|Tema)$/);
      const languages = page.getByLabel(/^(Language|Bahasa)$/);
      await expect(theme).toHaveValue('auto');
      await expect(languages).toHaveValue(language);
      await expect(languages.getByRole('option')).toHaveText(['English', 'Bahasa Indonesia']);
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(page.getByRole('banner').getByText('Coverdesk')).toBeVisible();
      const other = language === 'en' ? 'id' : 'en';
      await languages.selectOption(other);
      await page.reload();
      await expect(page.getByRole('button', { name: button[other] })).toBeVisible();
      await languages.selectOption('en');
      await expect(theme.getByRole('option')).toHaveText(['Light', 'Dark', 'System']);
    });
  });
}
