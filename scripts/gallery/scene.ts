import type { Page } from '@playwright/test';
import type { Account } from '#tests/e2e/support/api.ts';
import type { Cast } from './seed.ts';

/** One state of one screen. */
export type Scene = {
  /** Names the picture's files. */
  name: string;
  /** Who looks; left out on signed-out screens. */
  as?: keyof Omit<Cast, 'tickets'>;
  /** The address; a function where it names a ticket. */
  at: string | ((cast: Cast) => string | Promise<string>);
  /** Before the screen opens: answers held back, failing or changed. */
  before?: (page: Page, cast: Cast) => Promise<unknown>;
  /** Once it stands: what is clicked and typed. */
  act?: (page: Page, cast: Cast) => Promise<unknown>;
  /** The picture is of waiting: something never comes. */
  loading?: true;
  /** Only where it looks like this: drawers exist on narrow screens alone. */
  only?: 'narrow' | 'wide';
  /** Which pictures of it stand in docs/screens. */
  docs?: readonly ('light' | 'dark' | 'narrow-light' | 'narrow-dark')[];
};

/** Answers of `url` never come. */
export const hold = (url: string) => (page: Page) => page.route(url, () => {});

/** Calls to `url` fail without words. */
export const fail = (url: string) => (page: Page) =>
  page.route(url, (route) => route.fulfill({ status: 500, body: '' }));

/** Calls to `url` are refused for now, in the server's words. */
export const refuse = (url: string, code: string, message: string) => (page: Page) =>
  page.route(url, (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '60' }, json: { message, error: message, code } }),
  );

/** Stays where a screen would lead on by itself after two or three seconds. */
export const stay = (page: Page) =>
  page.addInitScript(() => {
    const begin = globalThis.setTimeout;
    const wait = (work: () => void, ms = 0) => begin(work, ms === 2000 || ms === 3000 ? 86_400_000 : ms);
    Object.assign(globalThis, { setTimeout: wait });
  });

/** Presses the button of that name. */
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click();

/** Who is signed in at a scene. */
export function accountOf(scene: Scene, cast: Cast): Account | undefined {
  return scene.as && cast[scene.as];
}
