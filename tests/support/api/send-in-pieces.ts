import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { TestApi } from './api.ts';

/**
 * Uploads a file in chunks. Each chunk reaches the form's parser only when all chunks before were processed.
 * @param path below /api
 */
export function sendInPieces(
  { app }: TestApi,
  path: string,
  { token, field, pieces }: { token: string; field: string; pieces: Buffer[] },
) {
  const boundary = `form${randomBytes(12).toString('hex')}`;
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="file.txt"\r\n` +
    'content-type: text/plain\r\n\r\n';
  async function* form() {
    for (const piece of [Buffer.from(head), ...pieces, Buffer.from(`\r\n--${boundary}--\r\n`)]) {
      yield piece;
      for (let i = 0; i < 20; i++) await turn();
    }
  }
  return app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    payload: Readable.from(form()),
  });
}
