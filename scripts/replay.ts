// Sends a workbook through a running product and waits for its report: npm run replay -- path/to/sheet.xlsx
// As the demo's user of DATA_DIR (`data/dev` unless it is set), at URL (http://127.0.0.1:3000 unless it is set).
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callApi, signInAs, uploadWorkbook } from '#tests/support/product/client.ts';

type Progress = {
  status: string;
  percent: number;
  done: number;
  failed: number;
  waiting_reason: string | null;
};

const file = process.argv[2];
if (!file) {
  console.error('usage: npm run replay -- path/to/sheet.xlsx');
  process.exit(2);
}
const url = process.env.URL || 'http://127.0.0.1:3000';
const accounts = join(resolve(process.env.DATA_DIR || './data/dev'), 'demo-accounts.json');
try {
  const { user } = JSON.parse(await readFile(accounts, 'utf8')) as {
    user: { email: string; password: string };
  };
  const session = await signInAs(url, user.email, user.password);
  const began = performance.now();
  const { ticket, ...report } = await uploadWorkbook(session, new Uint8Array(await readFile(file)));
  console.log(`${basename(file)}: ticket ${ticket.ticket_number}`, report);
  const progress = await untilOver(() =>
    callApi<Progress>(session, 'GET', `/tickets/progress?ticket_number=${ticket.ticket_number}`),
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${progress.status} after ${seconds} s: ${progress.done} done, ${progress.failed} failed`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

/** Asks every second, and says what changed, until the ticket is over. */
async function untilOver(ask: () => Promise<Progress>): Promise<Progress> {
  let said = '';
  for (;;) {
    const progress = await ask();
    if (progress.status === 'Completed' || progress.status === 'Cancelled') return progress;
    const line = `${progress.status} ${progress.percent}% ${progress.waiting_reason ?? ''}`.trim();
    if (line !== said) console.log(line);
    said = line;
    await delay(1000);
  }
}
