import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeAmount } from './amount-words.ts';

test('amounts are written in words in both languages', () => {
  const cases: [amount: number, id: string, en: string][] = [
    [0, 'Nol', 'Zero'],
    [1, 'Satu', 'One'],
    [11, 'Sebelas', 'Eleven'],
    [19, 'Sembilan belas', 'Nineteen'],
    [88, 'Delapan puluh delapan', 'Eighty-eight'],
    [100, 'Seratus', 'One hundred'],
    [111, 'Seratus sebelas', 'One hundred eleven'],
    [1000, 'Seribu', 'One thousand'],
    [1100, 'Seribu seratus', 'One thousand one hundred'],
    [2001, 'Dua ribu satu', 'Two thousand one'],
    [11_000, 'Sebelas ribu', 'Eleven thousand'],
    [100_000, 'Seratus ribu', 'One hundred thousand'],
    [101_000, 'Seratus satu ribu', 'One hundred one thousand'],
    [1_000_000, 'Satu juta', 'One million'],
    [1_001_000, 'Satu juta seribu', 'One million one thousand'],
    [
      181_350_000,
      'Seratus delapan puluh satu juta tiga ratus lima puluh ribu',
      'One hundred eighty-one million three hundred fifty thousand',
    ],
    [1_000_000_000, 'Satu miliar', 'One billion'],
    [2_000_000_011, 'Dua miliar sebelas', 'Two billion eleven'],
    [1_000_000_000_000, 'Satu triliun', 'One trillion'],
  ];
  for (const [amount, id, en] of cases) {
    assert.equal(writeAmount(amount, 'id'), `${id} rupiah`);
    assert.equal(writeAmount(amount, 'en'), `${en} rupiah`);
  }
});
