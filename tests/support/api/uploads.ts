import type { TestApi } from './api.ts';
import type { TestUser } from './factories.ts';
import type { Send } from './request-body.ts';

/** Uploads a sheet. `send` overrides parts of the request. */
export function uploadSheet(api: TestApi, { token }: TestUser, content: Buffer | string, send: Send = {}) {
  const file = { field: 'excel', name: 'sheet.xlsx', content };
  return api.send('POST /api/data/upload', { token, file, ...send });
}
