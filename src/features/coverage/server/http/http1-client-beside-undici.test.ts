import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { head, type Script, ScriptedService } from '#tests/support/scripted-service.ts';
import type { HttpRequest } from './http-client.ts';

const service = new ScriptedService();
const { scripts, received } = service;
const ours = (to?: string) => service.ours(to);
before(() => service.start());
after(() => service.close());

const unusual: Record<string, Script> = {
  chunked: {
    pieces: [head('Transfer-Encoding: chunked'), '3\r\nabc\r\n', '2\r\nde\r\n0\r\n\r\n'],
    closes: false,
  },
  no_length: { pieces: [head(), 'until ', 'the end'], closes: true },
  no_length_closed: { pieces: [head('Connection: close'), 'until ', 'the end'], closes: true },
  old: { pieces: ['HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nold'], closes: true },
  hints: {
    pieces: ['HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', `${head('Content-Length: 2')}ab`],
    closes: false,
  },
  empty: { pieces: ['HTTP/1.1 204 No Content\r\n\r\n'], closes: false },
  both: { pieces: [head('Content-Length: 3', 'Transfer-Encoding: chunked'), '0\r\n\r\n'], closes: false },
  twice: { pieces: [`${head('Content-Length: 3', 'Content-Length: 3')}abc`], closes: true },
  folded: { pieces: [`${head('X-Long: a', ' b', 'Content-Length: 3')}abc`], closes: true },
  bare: { pieces: ['HTTP/1.1 200 OK\nContent-Length: 3\n\nabc'], closes: true },
  inherited: { pieces: [`${head('__proto__: a', 'Content-Length: 3')}abc`], closes: true },
  negative: { pieces: [`${head('Content-Length: -3')}abc`], closes: true },
  large: { pieces: [head('Content-Length: 3', `X-Large: ${'a'.repeat(20_000)}`), 'abc'], closes: true },
  garbage: { pieces: ['220 mail.example ESMTP\r\n\r\n'], closes: true },
};

for (const [name, script] of Object.entries(unusual)) {
  test(`an answer of another shape is read as undici reads it: ${name}`, async () => {
    scripts.set(name, script);
    const requests = [service.get(`/${name}`), service.get('/'), service.get(`/${name}`), service.get('/')];
    for (const to of service.origins) {
      const [own, theirs] = [ours(to), service.undicis(to)];
      try {
        assert.deepEqual(
          await service.askInTurn(own, requests),
          await service.askInTurn(theirs, requests),
          to,
        );
      } finally {
        await Promise.all([own.destroy(), theirs.destroy()]);
      }
    }
  });
}

test('requests in turn go over one connection, and what is sent is what undici sends', async () => {
  const headers = { accept: 'application/json', 'user-agent': 'Coverdesk', 'x-key': 'a b' };
  const requests: HttpRequest[] = [
    service.get('/a?b=c%20d'),
    { ...service.get('/b'), headers },
    { ...service.get('/c'), method: 'POST', headers, body: '{"serial":"é"}' },
  ];
  const sent: string[][] = [];
  for (const client of [ours(), service.undicis()]) {
    received.length = 0;
    service.opened = 0;
    const answers = await service.askInTurn(client, requests);
    assert.deepEqual(
      answers.map((answer) => (typeof answer === 'string' ? answer : answer.body)),
      ['plain', 'plain', 'plain'],
    );
    assert.equal(service.opened, 1);
    sent.push([...received]);
    await client.destroy();
  }
  assert.deepEqual(sent[0], sent[1]);
});

for (const [what, request] of Object.entries({
  'a host of its own': { headers: { host: 'another.example' } },
  'a letter beyond ASCII in a header': { headers: { 'x-name': 'é' } },
  'a line break in a header': { headers: { 'x-key': 'two\nlines' } },
  'a body with GET': { body: 'a' },
  'POST without a body': { method: 'POST' },
  'a space in its path': { path: '/a b' },
})) {
  test(`a request of another shape is sent as undici sends it: ${what}`, async () => {
    const sent: unknown[] = [];
    for (const client of [ours(), service.undicis()]) {
      received.length = 0;
      sent.push([
        await service.askInTurn(client, [{ ...service.get('/'), ...request }, service.get('/')]),
        ...received,
      ]);
      await client.destroy();
    }
    assert.deepEqual(sent[0], sent[1]);
  });
}

const lines = fc.constantFrom(
  ...['Content-Length: 4', 'Content-Length: 4', 'content-length:4', 'Content-Length: 0', 'Content-Length: 9'],
  ...['Content-Length: 4, 4', 'Content-Length: +4', 'Content-Length:', 'Transfer-Encoding: chunked'],
  ...['Connection: keep-alive', 'Connection: Close', 'Connection: close, x', 'Connection: upgrade'],
  ...['Keep-Alive: timeout=5', 'Keep-Alive: timeout=1, max=9', 'Keep-Alive: max=9', 'Upgrade: h2c'],
  ...[
    'Set-Cookie: a=1',
    'Set-Cookie: b=2; Path=/',
    'X-Blank:',
    'X-Tab:\tb',
    'X-Space : a',
    'X-High: \xe9\xa0',
  ],
  ...['X-End: a ', 'X-Nul: \0', 'constructor: a', '__proto__: a', ': a', 'no colon', ' folded', '\xa0a: b'],
);
const answerText = fc
  .record({
    start: fc.oneof(
      { weight: 8, arbitrary: fc.constant('HTTP/1.1 200 OK') },
      fc.constantFrom(
        ...['HTTP/1.1 404 Not Found', 'HTTP/1.1 503', 'HTTP/1.1 304 Not Modified', 'HTTP/1.1 204 None'],
        ...['HTTP/1.1 100 Continue', 'HTTP/1.0 200 OK', 'HTTP/1.1 999 Odd', 'HTTP/1.1 20 OK', 'HTTP/2 200'],
      ),
    ),
    lines: fc.array(lines, { maxLength: 5 }),
    length: fc.constantFrom([], ['Content-Length: 4'], ['Content-Length: 4'], ['Content-Length: 4']),
    body: fc.constantFrom('abcd', 'abcd', 'abcd', 'ab', '', 'abcdefgh', '4\r\nabcd\r\n0\r\n\r\n'),
    separator: fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'),
  })
  .map((made) => [made.start, ...made.length, ...made.lines, '', made.body].join(made.separator));
const anyScript = fc
  .tuple(answerText, fc.array(fc.nat(120), { maxLength: 3 }))
  .map(([text, cuts]): Script => {
    const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
    return { pieces: at.slice(1).map((end, n) => text.slice(at[n], end)), closes: true };
  });

test('whatever a service answers is read as undici reads it, and so is what it answers next', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(anyScript, fc.boolean(), async (script, isSecure) => {
      const name = `any${count++}`;
      scripts.set(name, script);
      const to = service.origins[isSecure ? 1 : 0];
      const [own, theirs] = [ours(to), service.undicis(to)];
      try {
        const requests = [service.get(`/${name}`), service.get('/')];
        assert.deepEqual(await service.askInTurn(own, requests), await service.askInTurn(theirs, requests));
      } finally {
        scripts.delete(name);
        await Promise.all([own.destroy(), theirs.destroy()]);
      }
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 120), seed: Number(process.env.FUZZ_SEED ?? 1) },
  );
});
