import { mock } from 'node:test';
import { Loop } from '#server/concurrency/loop.ts';
import type { TestApi } from './api.ts';

/** Creates an API whose loops never begin. On a slow machine they would do the work that a test does by itself. */
export async function withoutLoops(create: () => Promise<TestApi>): Promise<TestApi> {
  const wake = mock.method(Loop.prototype, 'wake', () => undefined);
  try {
    const api = await create();
    await api.app.ready();
    return api;
  } finally {
    wake.mock.restore();
  }
}
