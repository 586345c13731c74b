import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { errors, jwtVerify } from 'jose';
import { readToken } from './read-token.ts';
import { SessionTokens } from './session-tokens.ts';

const secret = 'a secret of this test, of no use elsewhere';
const key = createSecretKey(Buffer.from(secret));
const now = 1_800_000_000;
const good = { sub: '7', iat: now - 10, exp: now + 10 };

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function sign(header: unknown, payload: unknown, by = { algorithm: 'sha256', secret }): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac(by.algorithm, by.secret).update(signed).digest('base64url')}`;
}

/** What a library says of a token. */
async function askLibrary(token: string): Promise<'malformed' | 'expired' | object> {
  return jwtVerify(token, Buffer.from(secret), {
    algorithms: ['HS256'],
    currentDate: new Date(now * 1000),
    requiredClaims: ['sub', 'exp', 'iat'],
  }).then(
    ({ payload: { sub, iat, exp } }) => ({ sub, iat, exp }),
    (error: unknown) => (error instanceof errors.JWTExpired ? 'expired' : 'malformed'),
  );
}

const head = { alg: 'HS256', typ: 'JWT' };
const whole = sign(head, good);
const [h = '', p = '', s = ''] = whole.split('.');
const tokens: Record<string, string> = {
  whole,
  'another order of claims': sign(
    { typ: 'JWT', alg: 'HS256' },
    { more: [1], exp: good.exp, sub: '7', iat: good.iat },
  ),
  'another secret': sign(head, good, { algorithm: 'sha256', secret: 'another secret that is long enough' }),
  'another payload': `${h}.${encode({ ...good, sub: '1' })}.${s}`,
  'another header': `${encode({ alg: 'HS256' })}.${p}.${s}`,
  'no signature': `${h}.${p}.`,
  'half a signature': `${h}.${p}.${s.slice(0, 20)}`,
  'more of a signature': `${whole}AAAA`,
  'four parts': `${whole}.x`,
  'two parts': `${h}.${p}`,
  'no algorithm': `${encode({ alg: 'none' })}.${p}.`,
  'none, signed': sign({ alg: 'none' }, good),
  HS512: sign({ alg: 'HS512' }, good, { algorithm: 'sha512', secret }),
  'HS512 by name': sign({ alg: 'HS512' }, good),
  'critical extensions': sign({ ...head, crit: ['exp'] }, good),
  'an unencoded payload': sign({ ...head, crit: ['b64'], b64: false }, good),
  'no header': sign('[]', good),
  'header without JSON': sign('{', good),
  'payload without JSON': sign(head, 'x'),
  'payload null': sign(head, 'null'),
  'a list for payload': sign(head, '[1]'),
  'no sub': sign(head, { iat: good.iat, exp: good.exp }),
  'no iat': sign(head, { sub: '7', exp: good.exp }),
  'no exp': sign(head, { sub: '7', iat: good.iat }),
  'exp a text': sign(head, { ...good, exp: String(good.exp) }),
  'iat a text': sign(head, { ...good, iat: 'now' }),
  'not yet': sign(head, { ...good, nbf: now + 1 }),
  'just now': sign(head, { ...good, nbf: now }),
  'nbf a text': sign(head, { ...good, nbf: 'x' }),
  'expires now': sign(head, { ...good, exp: now }),
  'expires next': sign(head, { ...good, exp: now + 1 }),
  'long expired': sign(head, { ...good, exp: 1 }),
  'expired, another secret': sign(head, { ...good, exp: 1 }, { algorithm: 'sha256', secret: 'x'.repeat(32) }),
};

test('a token is believed, expired or malformed as a library says', async () => {
  for (const [what, token] of Object.entries(tokens)) {
    const said = await askLibrary(token);
    assert.deepEqual(readToken(key, token, now), said, what);
  }
  const verdicts = Object.values(tokens).map((token) => readToken(key, token, now));
  assert.equal(verdicts.filter((verdict) => typeof verdict === 'object').length, 4);
  assert.equal(verdicts.filter((verdict) => verdict === 'expired').length, 2);
});

test('a token is judged in the same way however often it comes, and by the present second', () => {
  const sessions = new SessionTokens(key);
  for (const _ of [1, 2, 3]) {
    for (const [what, token] of Object.entries(tokens))
      assert.deepEqual(sessions.read(token, now), readToken(key, token, now), what);
  }
  const { 'expires next': token = '' } = tokens;
  assert.equal(typeof sessions.read(token, now), 'object');
  assert.equal(sessions.read(token, now + 1), 'expired');
  assert.equal(sessions.read(token, now + 2), 'expired');
  const [, , signature = ''] = token.split('.');
  const forged = token.replace(signature, signature.split('').reverse().join(''));
  assert.equal(sessions.read(forged, now), 'malformed');
});

test('what a believed token says is kept, and not read again as long as it lasts', () => {
  const sessions = new SessionTokens(key);
  const read = sessions.read(whole, now);
  assert.equal(sessions.read(whole, now), read);
  assert.equal(sessions.read(whole, good.exp - 1), read);
  assert.equal(sessions.read(whole, good.exp), 'expired');
});
