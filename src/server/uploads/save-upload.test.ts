import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import multipart from '@fastify/multipart';
import Fastify from 'fastify';
import type { Caller } from '#server/http/caller.ts';
import { saveUpload } from './save-upload.ts';
import { UploadRoom } from './upload-room.ts';

test('the room of a file that cannot be removed is released', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'coverdesk-uploads-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const config = { DATA_DIR: dataDir, MAX_UPLOAD_MB: 1, MIN_FREE_MB: 0 };
  let released = 0;
  class CountedRoom extends UploadRoom {
    override async enter() {
      return async () => void released++;
    }
  }
  const app = Fastify();
  t.after(() => app.close());
  await app.register(multipart);
  app.decorate('uploadRoom', new CountedRoom(config));
  app.post('/', async (request) => {
    request.caller = { id: 1 } as Caller;
    const { path, remove } = await saveUpload(request, 'file', config);
    await rm(path);
    await mkdir(path);
    await remove();
  });
  const response = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    payload:
      '--edge\r\ncontent-disposition: form-data; name="file"; filename="file.txt"\r\n\r\ntext\r\n--edge--\r\n',
  });
  assert.match(response.body, /EISDIR|directory/);
  assert.equal(released, 1);
});
