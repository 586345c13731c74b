import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakDown, breakDownByValue } from './break-down.ts';

/** Intl puts thin spaces around a dash. */
const plain = (parts: ReturnType<typeof breakDown>) =>
  JSON.parse(JSON.stringify(parts).replaceAll('\u2009', ' '));
const ends = (ends_on: string, type: string | null, count: number) => ({ ends_on, type, count });

test('devices are summed by week from Monday to Sunday, and by model, most first', () => {
  const groups = [
    ends('2027-01-03', 'iPhone 15', 1000),
    ends('2026-12-28', null, 234),
    ends('2026-12-27', 'iPhone 14', 2000),
    ends('2027-01-04', 'iPhone 15', 5000),
  ];
  assert.deepEqual(plain(breakDown(groups, 'en')), [
    {
      heading: 'By week',
      figures: [
        ['21 – 27 Dec 2026', '2,000'],
        ['28 Dec 2026 – 3 Jan 2027', '1,234'],
        ['4 – 10 Jan 2027', '5,000'],
      ],
    },
    {
      heading: 'By model',
      figures: [
        ['iPhone 15', '6,000'],
        ['iPhone 14', '2,000'],
        ['Model unknown', '234'],
      ],
    },
  ]);
  const [weeks] = plain(breakDown(groups, 'id'));
  assert.deepEqual(weeks.figures[1], ['28 Des 2026 – 3 Jan 2027', '1.234']);
});

test('after eleven lines the rest is one line', () => {
  const groups = Array.from({ length: 13 }, (_, nth) =>
    ends(new Date(Date.UTC(2027, 0, 1 + 7 * nth)).toISOString().slice(0, 10), `Model ${nth}`, 20 - nth),
  );
  const [weeks, models] = breakDown(groups, 'en');
  assert.deepEqual([weeks?.figures.length, models?.figures.length], [12, 12]);
  assert.deepEqual(
    [weeks?.figures.at(-1), models?.figures.at(-1)],
    [
      ['Later', '17'],
      ['Other models', '17'],
    ],
  );
});

test('devices are summed by value of an own column, most first, and those without a value last', () => {
  const values = new Map([
    [null, 5000],
    ['Solo', 2],
    ['Jakarta', 1200],
    ['Bogor', 2],
  ]);
  assert.deepEqual(breakDownByValue('Site', values, 'en'), {
    heading: 'By Site',
    figures: [
      ['Jakarta', '1,200'],
      ['Bogor', '2'],
      ['Solo', '2'],
      ['Without a value', '5,000'],
    ],
  });
  const many = new Map<string | null, number>([[null, 1]]);
  for (let nth = 1; nth <= 1000; nth++) many.set(`Site ${nth}`, 2000 - nth);
  const { heading, figures } = breakDownByValue('Site', many, 'id');
  assert.equal(heading, 'Per Site');
  assert.equal(figures.length, 13);
  assert.deepEqual(figures.at(-2)?.[0], 'Nilai lainnya');
  assert.deepEqual(figures.at(-1), ['Tanpa nilai', '1']);
});
