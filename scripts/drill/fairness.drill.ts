import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { makeSerials } from '#tests/support/lookups/tickets.ts';
import { callApi, makeStandardUser, type Session } from '#tests/support/product/client.ts';
import { waitFor } from '#tests/support/wait.ts';
import type { Drill } from './drill.ts';
import { type DrilledProduct, onProduct } from './drilled-product.ts';

const perSecond = 10;
const tickets = 1000;
const rowsOfEach = 12;
const fewRows = 5;
/** The promise to another company whose ticket comes later. */
const firstWithinSeconds = 3;
const lastWithinSeconds = 5;

const manyTickets: Drill = {
  title: `A company has ${tickets} tickets of ${rowsOfEach} rows, at ${perSecond} calls a second`,
  run: () =>
    onProduct({ entry: { limits: { per_second: perSecond } } }, async (product) => {
      await importMany(product.user);
      const other = await makeStandardUser(product.admin, 'Later company');
      const running = await measure(other, 'RUN');
      await callApi(product.admin, 'POST', '/sources/stand-in/pause');
      const { ticket_number: number } = await paste(other, makeSerials('BACK', fewRows));
      await delay(30_000);
      await callApi(product.admin, 'POST', '/sources/stand-in/resume');
      const back = await follow(other, number);
      return `another company's ${fewRows} rows began after ${running.first} s and were done after ${running.last} s; after a pause of the source, ${back.first} and ${back.last} s`;
    }),
};

/** Sends the tickets of the first company, ten at once. */
async function importMany(user: DrilledProduct['user']): Promise<void> {
  const numbers = Array.from({ length: tickets }, (_, n) => n);
  const send = async () => {
    for (let n = numbers.pop(); n !== undefined; n = numbers.pop()) {
      await paste(user, makeSerials(`MANY${n}X`, rowsOfEach));
    }
  };
  await Promise.all(Array.from({ length: 10 }, send));
}

async function paste(user: Session, serials: string[]): Promise<{ ticket_number: string }> {
  const { ticket } = await callApi<{ ticket: { ticket_number: string } }>(user, 'POST', '/data/serials', {
    serials,
  });
  return ticket;
}

async function measure(user: Session, prefix: string) {
  const { ticket_number: number } = await paste(user, makeSerials(prefix, fewRows));
  return follow(user, number);
}

/** Returns the seconds from now to the first and to the last result of a ticket. */
async function follow(user: Session, number: string): Promise<{ first: string; last: string }> {
  const began = performance.now();
  const untilDone = (rows: number) =>
    waitFor(
      `${rows} rows of ticket ${number}`,
      async () => {
        const path = `/tickets/progress?ticket_number=${number}`;
        return (await callApi<{ done: number }>(user, 'GET', path)).done >= rows;
      },
      600_000,
    );
  await untilDone(1);
  const first = (performance.now() - began) / 1000;
  await untilDone(fewRows);
  const last = (performance.now() - began) / 1000;
  assert.ok(first <= firstWithinSeconds, `the first result came after ${first.toFixed(1)} s`);
  assert.ok(last <= lastWithinSeconds, `the last result came after ${last.toFixed(1)} s`);
  return { first: first.toFixed(1), last: last.toFixed(1) };
}

export const drills = { manyTickets };
