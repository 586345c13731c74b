import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecrets } from './secrets.ts';

test('of the secrets that sources handed out, the latest are masked, and those of the environment always', () => {
  const secrets = createSecrets({ KEY: 'the key' });
  secrets.fill('${KEY}');
  secrets.hide('in use');
  for (let n = 0; n < 1000; n++) {
    secrets.hide(`token-${n}.`);
    // Every call hides the token that it uses.
    secrets.hide('in use');
  }
  assert.equal(secrets.mask('the%20key, in use, token-999. token-990.'), '***, ***, *** ***');
  assert.equal(secrets.mask('token-0.'), 'token-0.');
});
