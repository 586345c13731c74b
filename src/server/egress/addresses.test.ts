import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyAddress, isLoopbackHost } from './addresses.ts';

test('link-local, metadata and unspecified addresses are special in every spelling', () => {
  const refused = [
    ...[
      '169.254.169.254',
      '169.254.0.1',
      '168.63.129.16',
      '192.0.0.192',
      'fd20:ce::254',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '100.100.100.200',
    ],
    ...[
      '::',
      'fe80::1',
      'fe80::1%eth0',
      'ff02::1',
      'fd00:ec2::254',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
    ],
    ...['64:ff9b::a9fe:a9fe', '64:ff9b::1', '64:ff9b::', 'nonsense', ''],
  ];
  for (const address of refused) assert.equal(classifyAddress(address), 'special', address);
  for (const address of ['10.0.0.1', '192.168.1.1', '127.0.0.1', '8.8.8.8', '::1', '2001:db8::1']) {
    assert.notEqual(classifyAddress(address), 'special', address);
  }
});

test('addresses of private networks are private', () => {
  const own = [
    '10.0.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '192.0.0.1',
    '198.18.0.1',
    '198.19.255.255',
    'fc00::1',
    'fd12:3456::1',
    'fec0::1',
  ];
  for (const address of own) assert.equal(classifyAddress(address), 'private', address);
  const others = ['9.255.255.255', '172.32.0.0', '100.128.0.0', '198.17.255.255', '198.20.0.0', '192.0.1.0'];
  for (const address of [...others, 'fe00::1', '2606:4700::1', '64:ff9b::808:808'])
    assert.equal(classifyAddress(address), 'public', address);
});

test('loopback is recognised in every spelling', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1']) {
    assert.equal(classifyAddress(address), 'loopback', address);
  }
  for (const address of ['128.0.0.1', '::2', '10.0.0.1', 'localhost'])
    assert.notEqual(classifyAddress(address), 'loopback', address);
  for (const host of ['localhost', 'localhost.', 'api.localhost', 'api.localhost.', '127.0.0.1', '[::1]'])
    assert.equal(isLoopbackHost(host), true, host);
  for (const host of ['localhost.example', 'evillocalhost', 'example.com', '10.0.0.1'])
    assert.equal(isLoopbackHost(host), false, host);
});
