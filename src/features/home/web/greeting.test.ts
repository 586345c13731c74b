import assert from 'node:assert/strict';
import { it } from 'node:test';
import { baseLocale, overwriteGetLocale } from '#shared/texts/runtime.js';
import { greet } from './greeting.ts';

const user = {
  superadmin: false,
  companyAdmin: false,
  newUser: false,
  secondFactorDue: false,
  companyCode: null,
  expiresAt: 0,
};

it('greets by the name, else by the email before its @, else as "User"', () => {
  const greetBy = (name: string, email: string) => greet({ ...user, name, email }, 9);
  assert.equal(greetBy('Ayu Lestari', 'ayu@example.test'), 'Good morning, Ayu Lestari');
  assert.equal(greetBy('', 'ayu@example.test'), 'Good morning, ayu');
  assert.equal(greetBy('', ''), 'Good morning, User');
});

it('is morning before 12, afternoon before 18, evening after that', () => {
  const words = Array.from({ length: 24 }, (_, hour) =>
    greet({ ...user, name: 'A', email: '' }, hour).replace(', A', ''),
  );
  assert.deepEqual(words.slice(0, 12), Array(12).fill('Good morning'));
  assert.deepEqual(words.slice(12, 18), Array(6).fill('Good afternoon'));
  assert.deepEqual(words.slice(18), Array(6).fill('Good evening'));
});

it('says "Selamat sore" from 15:00 in Indonesian', (t) => {
  overwriteGetLocale(() => 'id');
  t.after(() => overwriteGetLocale(() => baseLocale));
  const hours = [11, 12, 14, 15, 17, 18];
  assert.deepEqual(
    hours.map((hour) => greet({ ...user, name: 'Ayu', email: '' }, hour)),
    ['pagi', 'siang', 'siang', 'sore', 'sore', 'malam'].map((part) => `Selamat ${part}, Ayu`),
  );
});
