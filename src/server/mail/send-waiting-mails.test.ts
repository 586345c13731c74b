import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#server/runtime/log.ts';
import { sendWaitingMails } from './send-waiting-mails.ts';

test('a mail that has left is not sent again if its deletion fails', async () => {
  const calls: string[] = [];
  const waiting = [{ id: 7, attempts: 1 }];
  let failures = 1;
  await sendWaitingMails(createLog('test', 'silent'), async ({ subject }) => void calls.push(subject), {
    take: async () => waiting[0],
    write: () => ({ to: { name: '', address: 'ayu@localhost' }, subject: 'sent', text: '', html: '' }),
    deleteSent: async (id) => {
      calls.push(`delete ${id}`);
      failures -= 1;
      if (failures >= 0) throw new Error('no connection');
      waiting.pop();
    },
    giveUp: async () => calls.push('give up'),
    postpone: async () => calls.push('postpone'),
    describe: () => ({}),
    failure: 'failed',
  });
  assert.deepEqual(calls, ['sent', 'delete 7', 'delete 7']);
});
