import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import { registerWeb } from './web-files.ts';

let folder: string;
let app: FastifyInstance;

before(async () => {
  // A folder above that has the name of the folder of built assets.
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-web-'));
  const built = join(folder, 'assets', 'dist');
  await mkdir(join(built, 'assets'), { recursive: true });
  await writeFile(join(built, 'index.html'), '<!doctype html><title>Coverdesk</title>');
  await writeFile(join(built, '.htpasswd'), 'secret');
  await writeFile(join(built, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(built, 'assets', 'start-B1a2.js'), 'export {};');
  await writeFile(join(built, 'assets', 'start-B1a2.js.br'), 'compressed');
  app = fastify();
  await registerWeb(app, built);
});

after(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

async function get(url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  const { statusCode, headers, body } = await app.inject({ url, method });
  return { status: statusCode, type: headers['content-type'], cache: headers['cache-control'], body };
}

test('every screen is answered with the page, which browsers revalidate', async () => {
  for (const url of [
    '/',
    '/login',
    '/dashboard/data?ticket=7',
    '/dashboard/no.where',
    '/reset-password/x.?a=b.js',
    '/reset-password/one.two.three',
    '/nowhere',
  ]) {
    const { status, type, cache, body } = await get(url);
    assert.deepEqual([url, status, cache], [url, 200, 'no-cache']);
    assert.match(String(type), /^text\/html/);
    assert.match(body, /<title>Coverdesk/);
  }
  assert.equal((await get('/login', 'HEAD')).status, 200);
  assert.equal((await get('/login', 'POST')).status, 404);
});

test('built assets are cached for ever, other files are revalidated', async () => {
  const asset = await get('/assets/start-B1a2.js');
  assert.deepEqual([asset.status, asset.cache], [200, 'public, max-age=31536000, immutable']);
  const accepting = { url: '/assets/start-B1a2.js', headers: { 'accept-encoding': 'br' } };
  assert.equal((await app.inject(accepting)).body, 'compressed');
  const icon = await get('/favicon.svg');
  assert.deepEqual([icon.status, icon.cache], [200, 'no-cache']);
});

test('a missing file is answered 404 and not cached', async () => {
  const missing = [
    '/assets/start-0ld1.js',
    '/assets/start-0ld1.js?v=1',
    '/assets/',
    '/assets/folder',
    '/.htpasswd',
    '/assets/start-B1a2.js.br',
    '/robots.txt',
    '/a.map',
  ];
  for (const url of missing) {
    const { status, cache, body } = await get(url);
    assert.deepEqual([url, status, cache], [url, 404, 'no-store']);
    assert.doesNotMatch(body, /<title>/);
  }
});

test('a health check outside /api is answered 404', async () => {
  for (const url of ['/health/live', '/health/ready?probe=1'])
    assert.equal((await get(url)).status, 404, url);
});
