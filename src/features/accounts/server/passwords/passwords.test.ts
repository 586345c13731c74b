import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatePassword, hashPassword, verifyPassword } from './passwords.ts';

test('a password is stored as a salted argon2id hash', async () => {
  const [one, other] = await Promise.all([hashPassword('a password'), hashPassword('a password')]);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.notEqual(one, other);
  assert.doesNotMatch(one, /a password/);
  assert.equal(await verifyPassword(one, 'a password', 'ayu'), true);
  assert.equal(await verifyPassword(one, 'another', 'ayu'), false);
});

test('verifying a password without an account does the same work and returns false', async () => {
  const hash = await hashPassword('a password');
  /** CPU time, which does not depend on the load of the machine. */
  const workOf = async (passwordHash: string | undefined) => {
    const before = process.cpuUsage();
    for (let round = 0; round < 10; round++)
      assert.equal(await verifyPassword(passwordHash, 'guess', 'ayu'), false);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const [known, unknown] = [await workOf(hash), await workOf(undefined)];
  // Without the hash it would be a thousandth.
  assert.ok(unknown > known / 4 && known > unknown / 4, `${known} and ${unknown} microseconds`);
});

test('generated passwords are long and random', () => {
  const made = Array.from({ length: 50 }, generatePassword);
  // With 57 letters and digits, 22 are needed for 128 bits.
  assert.equal(new Set(made).size, 50);
  assert.ok(made.every((password) => /^[A-HJ-NP-Za-km-z2-9]{22}$/.test(password)));
});
