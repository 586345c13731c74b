import type { Locator, Page } from '@playwright/test';
import type { Account } from '#tests/support/stories/api.ts';
import { expect } from './test.ts';

/** Presses Tab, or Shift+Tab, until an element has the focus, as a user does. */
export async function tabTo(page: Page, target: Locator, tab: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  await expect(target).toBeEnabled();
  // A dialog takes the focus shortly after it opens, also from a field that Tab has reached by then.
  const isFocusNear = () =>
    target.evaluate(
      (element) =>
        element.closest('[aria-modal="true"]')?.contains(element.ownerDocument.activeElement) ?? true,
    );
  await expect.poll(isFocusNear).toBe(true);
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press(tab);
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
  }
  throw new Error('Tab does not reach the element');
}

/** Presses Tab until an element has the focus, then a key. */
export async function tabAndPress(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Signs in by the form without a pointer, and waits for Home. @param field the name of the password's field */
export async function signInByKeyboard(
  page: Page,
  { email, password }: Account,
  field = 'Password',
): Promise<void> {
  await page.goto('/login');
  await tabTo(page, page.getByLabel('Email'));
  await page.keyboard.type(email);
  await tabTo(page, page.getByLabel(field));
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
}
