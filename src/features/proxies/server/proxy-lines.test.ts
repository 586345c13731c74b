import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProxyLines } from './proxy-lines.ts';

const read = async (text: string, allowPrivate = false) => {
  const { urls, rejected } = await readProxyLines(text, allowPrivate);
  return { urls, rejected: rejected.map(({ line, reason }) => [line, reason({}, { locale: 'en' })]) };
};

test('every accepted form has one canonical URL', async () => {
  const cases = [
    ['203.0.113.5:8080', 'http://203.0.113.5:8080'],
    ['  203.0.113.5:08080\t', 'http://203.0.113.5:8080'],
    ['http://203.0.113.5:8080/', 'http://203.0.113.5:8080'],
    ['HTTP://203.0.113.5:8080', 'http://203.0.113.5:8080'],
    ['socks5://203.0.113.5:1080', 'socks5://203.0.113.5:1080'],
    ['[2001:DB8:0:0::1]:3128', 'http://[2001:db8::1]:3128'],
    ['socks5://[2001:db8::1]:3128', 'socks5://[2001:db8::1]:3128'],
    ['[::ffff:203.0.113.5]:80', 'http://203.0.113.5:80'],
    ['user:secret@203.0.113.5:8080', 'http://user:secret@203.0.113.5:8080'],
    ['203.0.113.5:8080:user:secret', 'http://user:secret@203.0.113.5:8080'],
    ['203.0.113.5:8080:user:base64/', 'http://user:base64%2F@203.0.113.5:8080'],
    ['203.0.113.5:8080:user:50%41off', 'http://user:50%2541off@203.0.113.5:8080'],
    ['user:50%41off@203.0.113.5:8080', 'http://user:50Aoff@203.0.113.5:8080'],
    ['socks5://[2001:db8::1]:1080:user:p@ss:w', 'socks5://user:p%40ss%3Aw@[2001:db8::1]:1080'],
    ['123:45:6@203.0.113.5:8080', 'http://123:45%3A6@203.0.113.5:8080'],
    ['http://user:p@ss:w/rd@203.0.113.5:8080', 'http://user:p%40ss%3Aw%2Frd@203.0.113.5:8080'],
    ['user:p%40ss@203.0.113.5:8080', 'http://user:p%40ss@203.0.113.5:8080'],
    ['user:100%@203.0.113.5:8080', 'http://user:100%25@203.0.113.5:8080'],
    ['socks5://u:p@[2001:db8::1]:1080', 'socks5://u:p@[2001:db8::1]:1080'],
  ] as const;
  for (const [line, url] of cases) {
    assert.deepEqual(await read(line), { urls: [url], rejected: [] }, line);
    assert.equal(new URL(url).port === '' ? '80' : new URL(url).port, /(\d+)$/.exec(url)?.[1]);
  }
});

test('blank lines and comments are skipped, duplicates dropped, line ends of any kind read', async () => {
  const text = '# ours\r\n\r\n203.0.113.5:80\r203.0.113.6:80\n  # more\n http://203.0.113.5:80\n';
  assert.deepEqual(await read(text), {
    urls: ['http://203.0.113.5:80', 'http://203.0.113.6:80'],
    rejected: [],
  });
});

test('an unusable line is rejected with its number and a reason that does not quote it', async () => {
  const reasons = {
    'Not IP:PORT': [
      'nonsense',
      '203.0.113.5',
      '203.0.113.5:80:user',
      'secret@203.0.113.5:80',
      ':80',
      '2001:db8::1',
      '203.0.113.5:http',
      '203.0.113.5:80 secret',
    ],
    'A SOCKS5 proxy takes a user and a password of at most 255 bytes each': [
      `socks5://user:${'p'.repeat(256)}@203.0.113.5:1080`,
      `socks5://${'ü'.repeat(128)}:secret@203.0.113.5:1080`,
    ],
    'Only http:// and socks5:// can be used': ['https://203.0.113.5:80', 'socks4://203.0.113.5:80'],
    'Not an IP address': [
      'proxy.example.com:80',
      '256.1.1.1:80',
      '1.2.3:80',
      '01.2.3.4:80',
      '[203.0.113.5]:80',
    ],
    'The port must be from 1 to 65535': ['203.0.113.5:0', '203.0.113.5:65536', '203.0.113.5:999999'],
    'Loopback and private addresses are not accepted': [
      '127.0.0.1:80',
      '10.1.2.3:80',
      '172.31.0.1:80',
      '192.168.1.1:80',
      '100.64.0.1:80',
      '[::1]:80',
      '[fd00::1]:80',
      '[::ffff:10.0.0.1]:80',
    ],
    'No proxy can have this address': [
      '0.0.0.0:80',
      '169.254.169.254:80',
      '224.0.0.1:80',
      '255.255.255.255:80',
      '[::]:80',
      '[fe80::1]:80',
      '[ff02::1]:80',
    ],
  };
  for (const [reason, lines] of Object.entries(reasons)) {
    for (const line of lines) {
      assert.deepEqual(await read(`#\n${line}`), { urls: [], rejected: [[2, reason]] }, line);
    }
  }
});

test('private addresses are accepted only when allowed, special addresses never', async () => {
  const text =
    '127.0.0.1:80\n192.168.1.1:80\n[::1]:80\n169.254.169.254:80\n100.100.100.200:80\n[fd00:ec2::254]:80';
  assert.deepEqual(await read(text, true), {
    urls: ['http://127.0.0.1:80', 'http://192.168.1.1:80', 'http://[::1]:80'],
    rejected: [4, 5, 6].map((line) => [line, 'No proxy can have this address']),
  });
});

test('an address that is refused as IPv4 is also refused inside an IPv6 address', async () => {
  const inside = [
    // 6to4 and NAT64 with a local prefix, of 169.254.169.254, 127.0.0.1 and 8.8.8.8.
    ...['2002:a9fe:a9fe::1', '2002:7f00:1::1', '2002:808:808::1'],
    ...['64:ff9b:1::a9fe:a9fe', '64:ff9b:1:ffff::7f00:1', '64:ff9b:1::808:808'],
    // IPv4-compatible and IPv4-translated addresses.
    ...['::169.254.169.254', '::7f00:1', '::808:808', '::2', '::ffff:0:127.0.0.1', '::ffff:0:808:808'],
    // Teredo, which contains the addresses of its server and client.
    '2001:0:808:808::f7f7:f7f7',
  ];
  for (const address of inside) {
    const { urls, rejected } = await read(`[${address}]:8080`, true);
    assert.deepEqual([urls, rejected.length], [[], 1], address);
  }
  assert.equal((await read('[2001:db8::1]:8080')).urls.length, 1);
  assert.equal((await read('[64:ff9b::808:808]:8080')).urls[0], 'http://8.8.8.8:8080');
  assert.deepEqual((await read('[64:ff9b::a9fe:a9fe]:8080', true)).urls, []);
  assert.equal((await read('[::1]:8080', true)).urls.length, 1);
});

test('a very long list does not block the event loop, and the first 20 rejections are kept', async () => {
  let turns = 0;
  let over = false;
  const count = () => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  const { urls, rejected, rejectedCount } = await readProxyLines('a\n'.repeat(100_000), false);
  over = true;
  assert.ok(turns > 100, `${turns} turns`);
  assert.deepEqual([urls.length, rejected.length, rejectedCount], [0, 20, 100_000]);
  assert.equal(rejected.at(-1)?.line, 20);
});

test('a line whose URL has more than 1000 characters is rejected', async () => {
  const lineOf = (length: number) => `user:${'p'.repeat(length)}@203.0.113.5:8080`;
  const longest = 1000 - 'http://user:@203.0.113.5:8080'.length;
  assert.equal((await read(lineOf(longest))).urls.length, 1);
  assert.deepEqual(await read(lineOf(longest + 1)), {
    urls: [],
    rejected: [[1, 'Longer than 1000 characters']],
  });
});
