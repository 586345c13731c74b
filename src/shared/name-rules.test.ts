import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasNoAddress, isPlainName } from './name-rules.ts';

test('a name has no address of the web', () => {
  const refused = [
    'https://elsewhere.example',
    'Ayu www.elsewhere',
    'win at evil.com today',
    'evil.co.id',
    'elsewhere.museum/prize',
    'ayu@acme.example',
    'Claim at evil.ru',
    'EVIL.DE',
    'Evil.Ru',
    'bit.ly',
    't.me',
    'x.com',
    'X.Com',
    't.Me',
    'a.Co',
    'ev.Ru',
    'Bit.LY',
    'Dr.Evil.ru',
    'evil.xn--p1ai',
  ];
  for (const name of refused) assert.equal(hasNoAddress(name), false, name);
  for (const name of [
    'Ayu Lestari, S.Kom., M.T.',
    'Dr. H. Moh.Yusuf',
    "Siti Nur'aini",
    'J. Co',
    'A.Id',
    '李 小龍',
    'Ph.D',
    'M.Sc',
    'St.Maria',
    'Drs.Budi',
    'Drs. Budi, S.Pd.',
    'PT. Maju',
    'PT.Maju',
    'dr.Ayu, Sp.OG',
    'Prof.Dr.Ir. H. Budi',
    'Prof.Dr.Ir.H.Budi',
    'Budi A.Md.Keb',
    'ayu lestari s.kom., m.t.',
    'AYU LESTARI, S.KOM',
  ])
    assert.equal(hasNoAddress(name), true, name);
});

test('a name is one visible line without characters that turn the direction of a text', () => {
  for (const name of ['', 'PT Maju', 'محمد علي', '李 小龍', 'Ayu 👩‍💻', 'A\u200dB'])
    assert.equal(isPlainName(name), true, JSON.stringify(name));
  const refused = [
    'A\nB',
    'A\u2028B',
    'A\u202eB',
    'A\u2066B',
    '\u200b',
    '\u00a0 \u2060',
    '\u3164',
    '\u2800',
    '\u0000',
  ];
  for (const name of refused) assert.equal(isPlainName(name), false, JSON.stringify(name));
});
