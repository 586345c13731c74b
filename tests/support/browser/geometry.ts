import { expect, type Locator, type Page } from '@playwright/test';

// Code that runs in the page is text, because the tests are compiled without the browser's types.

/** Returns the controls that toasts cover, without those that the shell's bar covers anyway. */
export async function readCovered(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const controls = 'a, button, input, select, textarea, summary, [tabindex="0"]';
    const covered = new Set();
    for (const toast of document.querySelectorAll('.mantine-Notification-root')) {
      const box = toast.getBoundingClientRect();
      for (let x = box.left + 1; x < box.right; x += 6) {
        for (let y = box.top + 1; y < box.bottom; y += 6) {
          const stack = document.elementsFromPoint(x, y);
          // A toast is clipped by its list, and covers nothing beyond it.
          if (!stack.some((element) => toast.contains(element))) continue;
          const bar = stack.findIndex((element) => element.matches('header'));
          for (const element of bar < 0 ? stack : stack.slice(0, bar)) {
            const control = element.closest('.mantine-Notifications-root') ? null : element.closest(controls);
            if (control) covered.add(control.outerHTML.slice(0, 160));
          }
        }
      }
    }
    return [...covered];
  })()`);
}

/** Runs a script in the page, with an element. */
export function runOn<T>(element: Locator, script: string): Promise<T> {
  return element.evaluate<T, unknown>(new Function('element', script) as never);
}

/** Expects that an element is visible over its whole width: neither clipped nor covered. */
export async function expectWhole(element: Locator): Promise<void> {
  const readHidden = () =>
    runOn<string[]>(
      element,
      `const box = element.getBoundingClientRect();
    const hidden = [];
    for (let x = box.left + 1; x < box.right - 1; x += 4) {
      const top = document.elementFromPoint(x, box.top + box.height / 2);
      if (!element.contains(top)) hidden.push(Math.round(x - box.left) + ' px: ' + (top?.textContent ?? '').slice(0, 40));
    }
    return hidden;`,
    );
  await expect.poll(readHidden).toEqual([]);
}

/** Returns the top of an element's focus ring. */
export async function readRingTop(element: Locator): Promise<number> {
  const [offset, width] = await runOn<[number, number]>(
    element,
    `const style = getComputedStyle(element);
    return [parseFloat(style.outlineOffset), style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth)];`,
  );
  expect(width).toBeGreaterThan(0);
  return ((await element.boundingBox())?.y ?? 0) - offset - width;
}
