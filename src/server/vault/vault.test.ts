import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Vault } from './vault.ts';

const first = 'the first key, long enough for everything';
const second = 'the second key, just as long as the first';

test('a sealed text opens again, contains no clear text, and is equal for equal texts', () => {
  const vault = new Vault(first);
  for (const text of ['a secret', 'é🙂', 'x'.repeat(10_000), '']) {
    const sealed = vault.seal('token', text);
    assert.equal(vault.open('token', sealed), text);
    assert.equal(sealed, vault.seal('token', text));
    assert.ok(text === '' || !sealed.includes(text));
    assert.match(sealed, /^sealed\.[0-9a-f]{8}\.[\w-]+$/);
    assert.ok(sealed.startsWith(vault.mark));
  }
  assert.notEqual(vault.seal('token', 'one'), vault.seal('proxy', 'one'));
});

test('text that was stored in clear is returned as it is', () => {
  assert.equal(new Vault(first).open('token', 'plain text'), 'plain text');
});

test('a value that was changed, or sealed for another purpose or with another key, does not open', () => {
  const vault = new Vault(first);
  const sealed = vault.seal('token', 'a secret');
  const last = sealed.endsWith('A') ? 'B' : 'A';
  assert.throws(() => vault.open('proxy', sealed));
  const broken = [...sealed];
  broken[20] = broken[20] === 'A' ? 'B' : 'A';
  assert.throws(() => vault.open('token', broken.join('')));
  assert.throws(() => vault.open('token', `${sealed}${last}AAA`));
  assert.throws(() => new Vault(second).open('token', sealed), /SECRETS_KEY lacks the key [0-9a-f]{8}/);
});

test('the new key seals, and the old key still opens', () => {
  const sealed = new Vault(first).seal('token', 'a secret');
  const both = new Vault(second, first);
  assert.equal(both.open('token', sealed), 'a secret');
  const anew = both.seal('token', 'a secret');
  assert.notEqual(anew, sealed);
  assert.equal(new Vault(second).open('token', anew), 'a secret');
});
