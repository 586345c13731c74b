// Runs the examples of docs/webhooks.md that verify a message, in each language that this machine has.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '#server/runtime/free-port.ts';
import { waitFor } from '#tests/support/wait.ts';
import { webhookSecret } from '#tests/support/webhooks/stored-webhooks.ts';
import { signMessage } from './deliver.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const page = readFileSync(`${root}docs/webhooks.md`, 'utf8');
const body = JSON.stringify({ type: 'ticket.completed', data: { file: 'gudang – 7.xlsx' } });
const otherSecret = `whsec_${Buffer.from('a secret that is not of the tests').toString('base64')}`;

/** A message as it is sent. */
type Sent = { headers: Record<string, string>; body: string };
const sign = (secrets: string[], at = new Date()) => ({
  headers: signMessage(secrets, 'msg_7', at, body),
  body,
});

/** Messages with whether they are genuine. */
const messages = (): [string, Sent, boolean][] => [
  ['signed', sign([webhookSecret]), true],
  ['signed by a new secret and the one before', sign([otherSecret, webhookSecret]), true],
  ['signed by another secret', sign([otherSecret]), false],
  ['changed', { ...sign([webhookSecret]), body: `${body} ` }, false],
  ['old', sign([webhookSecret], new Date(Date.now() - 400_000)), false],
];

function readExample(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(page) ?? [];
  assert.ok(code, `docs/webhooks.md has no example in ${language}`);
  return code;
}

const start = (program: string, args: string[]) =>
  spawn(program, args, { cwd: root, env: { ...process.env, WEBHOOK_SECRET: webhookSecret } });

test('the receiver in Node takes genuine messages and no others', async () => {
  const port = await findFreePort('127.0.0.1');
  const code = readExample('js');
  assert.match(code, /\.listen\(8080\)/);
  const child = start(process.execPath, ['--input-type=module', '-e', code.replace('8080', String(port))]);
  try {
    const post = ({ headers, body: sent }: Sent) =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: sent });
    const [, first] = messages()[0] ?? assert.fail();
    await waitFor('the receiver', () =>
      post(first).then(
        () => true,
        () => false,
      ),
    );
    for (const [kind, message, isGenuine] of messages()) {
      assert.equal((await post(message)).status, isGenuine ? 204 : 400, kind);
    }
  } finally {
    child.kill();
  }
});

test('the function in Python knows genuine messages from others', async (t) => {
  if (spawnSync('python3', ['--version']).status !== 0) return t.skip('not installed: python3');
  const call = `
import json, sys
for headers, body in json.load(sys.stdin):
    print(is_genuine(headers, body.encode()))`;
  const child = start('python3', ['-c', readExample('python') + call]);
  child.stdin.end(JSON.stringify(messages().map(([, { headers, body: sent }]) => [headers, sent])));
  const [printed, failure] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.deepEqual(
    printed.trim().split('\n'),
    messages().map(([, , isGenuine]) => (isGenuine ? 'True' : 'False')),
    failure,
  );
});
