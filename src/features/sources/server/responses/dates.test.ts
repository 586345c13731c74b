import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDay } from './dates.ts';

const zone = 'Asia/Jakarta';

test('reads every documented format', () => {
  const forms: [unknown, string][] = [
    ['2024-02-29', '2024-02-29'],
    [' 2024-02-28 ', '2024-02-28'],
    ['2024-01-05T16:59:59Z', '2024-01-05'],
    ['2024-01-05T17:00:00Z', '2024-01-06'],
    ['2024-01-05T17:00:00.123456Z', '2024-01-06'],
    ['2024-01-05T23:30:00-08:00', '2024-01-05'],
    ['2024-01-06T00:30:00+0900', '2024-01-06'],
    ['2024-01-05T20:00:00+00:00', '2024-01-06'],
    ['2024-01-05 00:00:00', '2024-01-05'],
    ['2024-01-05T23:59', '2024-01-05'],
    [1_704_474_000, '2024-01-06'],
    [1_704_473_999_000, '2024-01-05'],
    ['1704474000', '2024-01-06'],
    ['5/1/2024', '2024-01-05'],
    ['05/01/2024', '2024-01-05'],
    ['21/11/2026, 18.30', '2026-11-21'],
  ];
  for (const [value, day] of forms) assert.equal(readDay(value, zone), day, String(value));
});

test('an unreadable text or a placeholder is no date', () => {
  const junk = [
    ...[
      null,
      undefined,
      true,
      {},
      [],
      '',
      'Expired',
      'Active',
      'N/A',
      '2024-01',
      '01-05-2024',
      '2024-02-30',
      '31/4/2024',
    ],
    ...[
      '1/13/2024',
      '0000-00-00',
      '1900-01-01',
      '1899-12-30',
      '0001-01-01T00:00:00Z',
      '1970-01-01',
      '9999-12-31',
    ],
    ...[
      0,
      -1,
      1,
      20_240_105,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '5/1/24',
      '2024-01-05T25:00:00Z',
      '2024-01-05Tnoon',
    ],
    ...['1970-01-01T00:00:00Z', '2024-1-5'],
  ];
  for (const value of junk) assert.equal(readDay(value, zone), null, String(value));
});

test('days from the first to the last valid day are accepted', () => {
  const days: [unknown, string | null][] = [
    ['1900-12-31', null],
    ['1901-01-01', '1901-01-01'],
    ['31/12/2200', '2200-12-31'],
    ['1/1/2201', null],
    [315_532_799, null],
    [315_532_800, '1980-01-01'],
    [7_258_118_400, '2200-01-01'],
    [7_258_118_401_000, null],
  ];
  for (const [value, day] of days) assert.equal(readDay(value, zone), day, String(value));
});

test('an instant at midnight UTC is that day in every time zone, and one with an offset the day written there', () => {
  for (const zone of ['America/Los_Angeles', 'Pacific/Honolulu', 'Asia/Jakarta', 'Pacific/Kiritimati']) {
    for (const text of [
      ...[
        '2026-02-02T00:00:00Z',
        '2026-02-02T00:00Z',
        '2026-02-02T00:00:00.000+00:00',
        '2026-02-02 00:00:00Z',
      ],
      ...['2026-02-02T00:00:00-08:00', '2026-02-02T23:59:59+14:00', '2026-02-02T07:00:00+0700'],
      ...[1_769_990_400, 1_769_990_400_000, '1769990400'],
    ]) {
      assert.equal(readDay(text, zone), '2026-02-02', `${text} in ${zone}`);
    }
  }
  assert.equal(readDay('2026-02-02T00:00:01Z', 'America/Los_Angeles'), '2026-02-01');
  assert.equal(readDay('2026-02-02T25:00:00+07:00', zone), null);
});

test('any other instant is the calendar day in the time zone', () => {
  const instants = fc.date({
    min: new Date('1990-01-01T00:00:00Z'),
    max: new Date('2190-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, (date) => {
      fc.pre(date.getTime() % 86_400_000 !== 0);
      const inJakarta = new Date(date.getTime() + 7 * 3_600_000).toISOString().slice(0, 10);
      assert.equal(readDay(date.toISOString(), zone), inJakarta);
      assert.equal(readDay(date.toISOString(), 'UTC'), date.toISOString().slice(0, 10));
    }),
  );
});
