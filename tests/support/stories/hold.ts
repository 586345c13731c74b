import type { Page, Route } from '@playwright/test';

/**
 * Holds back every request of `method` to `url` until `letGo` is called. Later requests pass: the screen may show that it
 * waits before its request arrives here.
 */
export async function holdRequests(
  page: Page,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string | RegExp,
): Promise<{ letGo(): void }> {
  const held = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    await held.promise;
    // The screen may have cancelled the request.
    await route.continue().catch(() => undefined);
  });
  return { letGo: held.resolve };
}

/** Fails calls to `url` without a message of the server. */
export async function failWordless(page: Page, url: string | RegExp): Promise<void> {
  await page.route(url, (route) => route.fulfill({ status: 500, body: '' }));
}

/** Changes the real answer to every GET of `url` on its way to the screen. */
export async function patchAnswers<T>(
  page: Page,
  url: string | RegExp,
  patch: (answer: T) => void,
): Promise<void> {
  const answerPatched = async (route: Route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as T;
    patch(answer);
    await route.fulfill({ response, json: answer });
  };
  await page.route(url, (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    // A call that runs when the test ends is cancelled with its page.
    return answerPatched(route).catch(() => undefined);
  });
}
