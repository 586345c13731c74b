import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { createLog } from '#server/runtime/log.ts';
import { sendWaitingMails } from './send-waiting-mails.ts';

/** Sends one mail, whose deletion fails so many times. @returns what was done with it */
async function send(leaseSeconds: number, deletionFailures: number): Promise<string[]> {
  const calls: string[] = [];
  const waiting = [{ id: 7, attempts: 1 }];
  let failures = deletionFailures;
  const sending = sendWaitingMails(
    createLog('test', 'silent'),
    async ({ subject }) => void calls.push(subject),
    {
      leaseSeconds,
      take: async () => waiting[0],
      write: () => ({ to: { name: '', address: 'ayu@localhost' }, subject: 'sent', text: '', html: '' }),
      deleteSent: async ({ id }) => {
        calls.push(`delete ${id}`);
        failures -= 1;
        if (failures >= 0) throw new Error('no connection');
        waiting.pop();
      },
      giveUp: async () => calls.push('give up'),
      postpone: async () => calls.push('postpone'),
      describe: () => ({}),
      failure: 'failed',
    },
  );
  await sending.catch((error: Error) => calls.push(error.message));
  return calls;
}

test('a mail that has left is not sent again if its deletion fails', async () => {
  assert.deepEqual(await send(300, 1), ['sent', 'delete 7', 'delete 7']);
});

test('a deletion is not repeated when another process may have taken the mail', async () => {
  assert.deepEqual(await send(1, 3), ['sent', 'delete 7', 'no connection']);
});

test('the error of the mail server is logged although the database fails as well', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  const sending = sendWaitingMails(
    log,
    async () => {
      throw new Error('no such mailbox');
    },
    {
      leaseSeconds: 300,
      take: async () => ({ id: 7, attempts: 1 }),
      write: () => ({ to: { name: '', address: 'ayu@localhost' }, subject: 'sent', text: '', html: '' }),
      deleteSent: async () => undefined,
      giveUp: async () => undefined,
      postpone: async () => {
        throw new Error('no connection');
      },
      describe: () => ({}),
      failure: 'failed',
    },
  );
  await assert.rejects(sending, { message: 'no connection' });
  assert.match(lines.join(), /no such mailbox/);
});
