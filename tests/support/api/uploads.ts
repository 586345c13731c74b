import type { Send, TestApi } from './api.ts';
import type { TestUser } from './factories.ts';

/** Uploads a sheet as a user does; `send` says what is to be otherwise. */
export function uploadSheet(api: TestApi, { token }: TestUser, content: Buffer | string, send: Send = {}) {
  const file = { field: 'excel', name: 'sheet.xlsx', content };
  return api.send('POST /api/data/upload', { token, file, ...send });
}
