import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasNoAddress } from './name-rules.ts';

test('a name has no address of the web', () => {
  const refused = [
    'https://elsewhere.example',
    'Ayu www.elsewhere',
    'win at evil.com today',
    'evil.co.id',
    'elsewhere.museum/prize',
    'ayu@acme.example',
  ];
  for (const name of refused) assert.equal(hasNoAddress(name), false, name);
  for (const name of [
    'Ayu Lestari, S.Kom., M.T.',
    'Dr. H. Moh.Yusuf',
    "Siti Nur'aini",
    'J. Co',
    'A.Id',
    '李 小龍',
  ])
    assert.equal(hasNoAddress(name), true, name);
});
