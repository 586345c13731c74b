import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Imported names that open no outgoing connection. */
const harmless: Record<string, string[]> = {
  net: ['isIP', 'isIPv4', 'BlockList', 'createServer', 'Server'],
  tls: ['createSecureContext'],
  http: ['createServer', 'maxHeaderSize', 'STATUS_CODES'],
};
/** Files with libraries that use connections of the egress module. */
const clients: Record<string, string> = {
  'src/server/egress/guarded-agent.ts': 'undici',
  'src/server/egress/guarded-fetch.ts': 'undici',
  'src/server/mail/mail.ts': 'nodemailer',
};

/** Returns the imports of a file, except types, from modules that can open connections. */
function importsThatConnect(file: string, source: string): string[] {
  const modules =
    /import\s+(type\s+)?([^;]*?)\s+from\s+'(?:node:)?(net|tls|http|https|http2|dns|dns\/promises|dgram|undici|nodemailer)(\/[^']*)?'/g;
  return [...source.matchAll(modules)].flatMap(([, typeOnly, written = '', module = '']) => {
    if (typeOnly || clients[file] === module) return [];
    const names = written.startsWith('{') ? written.replace(/[{}]/g, '').split(',') : [written];
    return names
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => name.split(' as ')[0] ?? name)
      .filter((name) => !harmless[module]?.includes(name))
      .map((name) => `${module}: ${name}`);
  });
}

/** Returns the calls of the global `fetch`, and dynamic imports of such modules. */
function callsThatConnect(file: string, source: string): string[] {
  const own = /\bfetch\s*[:=(][^)]*\)\s*(?::[^{=]+)?(?:=>|\{)|[{,(]\s*fetch\b/.test(source);
  const calls = own ? [] : [...source.matchAll(/(?<![.#\w])(?:globalThis\.)?fetch\(/g)].map(() => 'fetch');
  const loaded = source.matchAll(
    /(?<!typeof )(?:import|require)\('(?:node:)?(net|tls|https?2?|dns|dgram|undici|nodemailer)(?:\/[^']*)?'\)/g,
  );
  const unknown = [...loaded].filter(([, module]) => clients[file] !== module);
  return [...calls, ...unknown.map(([call]) => call)];
}

test('every outgoing connection is opened by the egress module', () => {
  const files = globSync('src/{app,server,shared,features/*/server}/**/*.ts', { cwd: root }).filter(
    (file) => !/\.test\.ts$|^src\/shared\/texts\//.test(file),
  );
  assert.ok(files.length > 300, `${files.length} files`);
  const found = files.flatMap((file) => {
    const source = readFileSync(`${root}${file}`, 'utf8');
    return [...importsThatConnect(file, source), ...callsThatConnect(file, source)].map(
      (what) => `${file}: ${what}`,
    );
  });
  assert.deepEqual(found, [
    'src/server/egress/connect.ts: net: connect',
    'src/server/egress/connect.ts: tls: connect',
    'src/server/egress/resolve-name.ts: dns: ADDRCONFIG',
    'src/server/egress/resolve-name.ts: dns: lookup',
    'src/server/egress/resolve-name.ts: dns: Resolver',
  ]);
});

test('a connection that is opened elsewhere is reported', () => {
  const seen = (source: string) => [
    ...importsThatConnect('src/a.ts', source),
    ...callsThatConnect('src/a.ts', source),
  ];
  assert.deepEqual(seen("import { connect as open, isIP, type Socket } from 'node:net';"), ['net: connect']);
  assert.deepEqual(seen("import { request } from 'node:https';"), ['https: request']);
  assert.deepEqual(seen("import http from 'http';"), ['http: http']);
  assert.deepEqual(seen("import { createTransport } from 'nodemailer';"), ['nodemailer: createTransport']);
  assert.deepEqual(seen("await fetch('https://a.test');"), ['fetch']);
  assert.deepEqual(seen("const { connect } = await import('node:tls');"), ["import('node:tls')"]);
  assert.deepEqual(seen("await import('nodemailer')"), ["import('nodemailer')"]);
  assert.deepEqual(seen("import Client from 'undici/lib/dispatcher/client.js';"), ['undici: Client']);
  assert.deepEqual(seen("await import('undici/lib/api/index.js');"), ["import('undici/lib/api/index.js')"]);
  assert.deepEqual(seen("import type { Client } from 'undici'; jobs.fetch(1);"), []);
});
