import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppError } from '#server/http/errors/errors.ts';
import { requireTargetUrl } from './webhooks.service.ts';

const fault = (url: string, allowPrivate = false) => {
  try {
    requireTargetUrl(url, allowPrivate);
    return null;
  } catch (error) {
    return `${(error as AppError).details?.[0]?.path}: ${(error as AppError).message}`;
  }
};
const form = /^url: Enter a complete address/;
const isPrivate = /^url: Webhooks cannot be sent to private addresses/;

test('a webhook takes https to a public host, and with permission http and private addresses', () => {
  for (const url of [
    'https://example.com/hook?key=1',
    'https://example.com:8443',
    'https://[2606:4700::1]/',
  ]) {
    assert.equal(fault(url), null, url);
  }
  for (const url of [
    'http://example.com/',
    'example.com',
    'ftp://example.com/',
    'https://me:secret@example.com/',
    '',
  ]) {
    assert.match(fault(url) ?? '', form, url);
  }
  const inside = [
    ...['127.0.0.1', '2130706433', 'localhost', 'localhost.', 'api.localhost', '[::1]'],
    ...['10.1.2.3', '198.18.0.1', '[fd00::1]'],
  ];
  for (const host of inside) {
    assert.match(fault(`https://${host}/`) ?? '', isPrivate, host);
    assert.equal(fault(`http://${host}/`, true), null, host);
  }
  for (const host of ['169.254.169.254', '0.0.0.0', '[::ffff:169.254.169.254]', '100.100.100.200']) {
    assert.match(fault(`https://${host}/`, true) ?? '', isPrivate, host);
  }
  assert.match(fault('ftp://localhost/', true) ?? '', form);
});
