import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotDrill, type Drill } from './drill.ts';
import { onProduct } from './drilled-product.ts';

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const rows = 4000;
/** Lets a row wait when the clock jumps. */
const busy = { status: 503, body: {}, headers: { 'retry-after': '3' } };

const drillClock =
  (jump: string): Drill['run'] =>
  async () => {
    if (!existsSync(library))
      throw new CannotDrill('libfaketime is not installed (apt-get install faketime)');
    const folder = await mkdtemp(join(tmpdir(), 'coverdesk-clock-'));
    const file = join(folder, 'offset');
    await writeFile(file, '+0');
    const env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    try {
      return await onProduct({ env, entry: { limits: { per_second: 200 } } }, async (product) => {
        const ticket = await product.upload(rows, [busy, {}]);
        await product.untilDone(ticket, rows / 10);
        await writeFile(file, jump);
        const seconds = await product.untilCompleted(ticket);
        return `${rows} rows completed ${seconds.toFixed(0)} s later`;
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  };

const clockForward: Drill = {
  title: 'The clock jumps an hour forward',
  run: drillClock('+3600'),
};

const clockBack: Drill = {
  title: 'The clock jumps an hour back',
  run: drillClock('-3600'),
};

export const drills = { clockForward, clockBack };
