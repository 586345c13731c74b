import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { ConfigError, databaseAddresses, parseConfig, requireSharedSecret, timezone } from './config.ts';

/** Returns the variables that the error for an environment names, in order. */
function namesRefused(env: Record<string, string>): string[] {
  try {
    parseConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message.split('\n').map((line) => line.split(' ')[0] ?? '');
  }
  return [];
}

describe('parseConfig', () => {
  it('has defaults for a first start', () => {
    const { DATA_DIR, ...config } = parseConfig({});
    assert.equal(DATA_DIR, resolve('data'));
    // As documented in README.md.
    assert.deepEqual(config, {
      PORT: 3000,
      HOST: '127.0.0.1',
      ADMIN_EMAIL: 'admin@localhost',
      SESSION_HOURS: 12,
      CACHE_HOURS: 24,
      ALLOW_PRIVATE_SMTP: false,
      ALLOW_PRIVATE_WEBHOOKS: false,
      MAIL_FROM: 'Coverdesk <coverdesk@localhost>',
      PRICE_USD: '0.05',
      DOLLAR_RATE: 16_000,
      PROXY_SET_DAYS: 30,
      ALLOW_PRIVATE_PROXIES: false,
      APP_TIMEZONE: 'Asia/Jakarta',
      WORKERS: Math.min(64, Math.max(1, availableParallelism() - 1)),
      WORKER_CONCURRENCY: 64,
      MAX_UPLOAD_MB: 128,
      MIN_FREE_MB: 512,
      MAX_UPLOAD_ROWS: 1_000_000,
      LOGIN_ATTEMPTS: 10,
      SECOND_FACTOR_ROLES: [],
      AUDIT_DAYS: 730,
      BACKUP_KEEP: 7,
      ORIGINAL_DAYS: 30,
      LOG_LEVEL: 'info',
    });
  });

  it('requires all variables of single sign-on or none, and a provider with TLS or on loopback', () => {
    const oidc = { OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
    assert.deepEqual(namesRefused(oidc), ['OIDC_ISSUER']);
    assert.deepEqual(namesRefused({ OIDC_ISSUER: 'https://id.example' }), Object.keys(oidc));
    for (const issuer of ['https://id.example/realm', 'http://127.0.0.1:8080', 'http://localhost']) {
      assert.deepEqual(namesRefused({ ...oidc, OIDC_ISSUER: issuer }), [], issuer);
    }
    for (const issuer of ['http://id.example', 'id.example', 'ftp://127.0.0.1']) {
      assert.deepEqual(namesRefused({ ...oidc, OIDC_ISSUER: issuer }), ['OIDC_ISSUER'], issuer);
    }
  });

  it('counts an empty value as unset', () => {
    assert.equal(parseConfig({ PORT: '', DATABASE_URL: '' }).PORT, 3000);
  });

  it('takes only an ADMIN_EMAIL and ADMIN_PASSWORD by which people can sign in', () => {
    assert.deepEqual(namesRefused({ ADMIN_EMAIL: 'admin@localhost', ADMIN_PASSWORD: 'x'.repeat(1000) }), []);
    assert.deepEqual(namesRefused({ ADMIN_PASSWORD: 'x'.repeat(1001) }), ['ADMIN_PASSWORD']);
    for (const email of [
      'admin@my_host',
      'ädmin@example.com',
      'admin@localhost.',
      `${'a'.repeat(243)}@example.com`,
    ])
      assert.throws(() => parseConfig({ ADMIN_EMAIL: email }), /ADMIN_EMAIL takes an email address/, email);
  });

  it('takes only time zones that PostgreSQL reads as JavaScript does', () => {
    for (const name of ['Asia/Jakarta', 'Etc/GMT-7', 'Singapore', 'UTC'])
      assert.deepEqual(namesRefused({ APP_TIMEZONE: name }), [], name);
    for (const name of ['+07:00', '+07', '-0300', 'CET', 'cet', 'EET', 'MET', 'WET'])
      assert.deepEqual(namesRefused({ APP_TIMEZONE: name }), ['APP_TIMEZONE'], name);
    // SQL does not read the zone of a source.
    for (const name of ['CET', 'UTC']) assert.equal(timezone.safeParse(name).success, true, name);
  });

  it('names every bad variable once, with its valid values', () => {
    assert.deepEqual(
      namesRefused({
        PORT: 'http',
        SESSION_HOURS: '0',
        PRICE_USD: '-1',
        APP_TIMEZONE: 'Mars/Olympus',
        TRUST_PROXY: 'proxy.local',
        SECOND_FACTOR_ROLES: 'user, boss',
        SMTP_URL: 'mail.example',
        MAIL_FROM: 'a@example.test',
        ALLOW_PRIVATE_PROXIES: 'yes',
        WORKERS: '0',
        WORKER_CONCURRENCY: '1.5',
        RETENTION_DAYS_RESULTS: '0',
        RETENTION_DAYS_UPLOADS: '2.5',
        RETENTION_DAYS_CACHE: 'never',
      }).sort(),
      [
        'ALLOW_PRIVATE_PROXIES',
        'APP_TIMEZONE',
        'PORT',
        'PRICE_USD',
        'RETENTION_DAYS_CACHE',
        'RETENTION_DAYS_RESULTS',
        'RETENTION_DAYS_UPLOADS',
        'SECOND_FACTOR_ROLES',
        'SESSION_HOURS',
        'SMTP_URL',
        'TRUST_PROXY',
        'WORKERS',
        'WORKER_CONCURRENCY',
      ],
    );
    assert.throws(() => parseConfig({ PORT: '70000' }), /PORT takes a whole number from 0 to 65535/);
  });

  it('requires JWT_SECRET with DATABASE_URL, and PUBLIC_URL with a wildcard HOST', () => {
    const served = parseConfig({ DATABASE_URL: 'postgres://localhost/x' });
    assert.throws(
      () => requireSharedSecret(served),
      /^Error: JWT_SECRET is required when DATABASE_URL is set/,
    );
    requireSharedSecret(parseConfig({}));
    requireSharedSecret({ ...served, JWT_SECRET: 'x'.repeat(32) });
    assert.deepEqual(namesRefused({ HOST: '0.0.0.0' }), ['PUBLIC_URL']);
    assert.deepEqual(namesRefused({ HOST: '0.0.0.0', PUBLIC_URL: 'https://coverage.example' }), []);
  });

  it('requires DATABASE_URL with DATABASE_DIRECT_URL, and returns the server and the pooler', () => {
    const [DATABASE_URL, DATABASE_DIRECT_URL] = ['postgres://pooler/x', 'postgres://server/x'];
    assert.deepEqual(namesRefused({ DATABASE_DIRECT_URL }), ['DATABASE_URL']);
    const addresses = (env: Record<string, string>) => databaseAddresses(parseConfig(env));
    assert.deepEqual(addresses({ DATABASE_URL }), { databaseUrl: DATABASE_URL, poolerUrl: undefined });
    assert.deepEqual(addresses({ DATABASE_URL, DATABASE_DIRECT_URL }), {
      databaseUrl: DATABASE_DIRECT_URL,
      poolerUrl: DATABASE_URL,
    });
  });

  it('requires DATABASE_URL with DATABASE_READ_URL', () => {
    const DATABASE_READ_URL = 'postgres://replica/x';
    assert.deepEqual(namesRefused({ DATABASE_READ_URL }), ['DATABASE_URL']);
    assert.deepEqual(namesRefused({ DATABASE_READ_URL, DATABASE_URL: 'postgres://primary/x' }), []);
  });

  it('requires MAIL_FROM with SMTP_URL, and a host and an address in them', () => {
    const SMTP_URL = 'smtp://mail.example';
    assert.deepEqual(namesRefused({ SMTP_URL: 'smtp://', MAIL_FROM: 'a@example.test' }), ['SMTP_URL']);
    for (const MAIL_FROM of ['Coverdesk', 'Coverdesk <coverdesk>', 'a b@'])
      assert.deepEqual(namesRefused({ SMTP_URL, MAIL_FROM }), ['MAIL_FROM']);
    assert.deepEqual(namesRefused({ SMTP_URL, MAIL_FROM: 'Coverdesk <coverage@example.test>' }), []);
    assert.deepEqual(namesRefused({ SMTP_URL }), ['MAIL_FROM']);
    assert.deepEqual(namesRefused({ SMTP_URL, MAIL_FROM: 'coverage@example.test' }), []);
  });

  it('accepts the limits of each range and refuses values beyond them', () => {
    const refuses = (env: Record<string, string>) => namesRefused(env).length > 0;
    assert.deepEqual([{ JWT_SECRET: 'x'.repeat(31) }, { JWT_SECRET: 'é'.repeat(16) }].map(refuses), [
      true,
      false,
    ]);
    const prices = ['0', '0.0', '0.000001', '99999999', '100000000', '0.0000001', '1.', '.5'];
    assert.deepEqual(
      prices.filter((price) => refuses({ PRICE_USD: price })),
      ['0', '0.0', '100000000', '0.0000001', '1.', '.5'],
    );
  });

  it('accepts addresses and CIDR ranges of reverse proxies', () => {
    assert.deepEqual(parseConfig({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' }).TRUST_PROXY, [
      '127.0.0.1',
      '10.0.0.0/8',
    ]);
    for (const range of ['10.0.0.0/32', '::1/128']) parseConfig({ TRUST_PROXY: range });
    for (const range of ['10.0.0.0/33', '10.0.0.0/0', '::1/129', '10.0.0.0/', '10.0.0.0/8/8']) {
      assert.throws(() => parseConfig({ TRUST_PROXY: range }), /TRUST_PROXY takes addresses or CIDR/, range);
    }
  });
});
