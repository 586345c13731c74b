import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CannotDrill, type Drill } from './drill.ts';
import { type DrilledProduct, onProduct } from './drilled-product.ts';

const diskMb = 700;
const fullSeconds = 20;

const diskFull: Drill = {
  title: `The disk is full for ${fullSeconds} s`,
  async run() {
    const disk = await mountSmallDisk();
    try {
      const entry = { limits: { per_second: 100 } };
      const dataDir = join(disk, 'data');
      return await onProduct({ dataDir, entry }, (product) => fillDuringWork(product, disk));
    } finally {
      execFileSync('umount', ['--lazy', disk]);
      await rm(disk, { recursive: true });
    }
  },
};

async function fillDuringWork(product: DrilledProduct, disk: string): Promise<string> {
  const rows = 4000;
  const ticket = await product.upload(rows);
  await product.untilDone(ticket, rows / 10);
  const filler = join(disk, 'filler');
  await fill(disk, filler);
  const began = performance.now();
  await assert.rejects(product.upload(1), /^Error: upload: 507 /);
  const download = await fetch(`${product.url}/api/imei/download?ticket_number=${ticket}&format=json`, {
    headers: { authorization: `Bearer ${product.user.token}` },
  });
  await download.arrayBuffer().catch(() => undefined);
  await product.liveAnswer();
  await delay(Math.max(0, fullSeconds * 1000 - (performance.now() - began)));
  await rm(filler);
  const seconds = await product.untilCompleted(ticket);
  const second = await product.upload(100);
  await product.untilCompleted(second);
  return `uploads got 507, an export ${download.status}; afterwards ${rows} rows completed in ${seconds.toFixed(0)} s`;
}

async function mountSmallDisk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    await rm(folder, { recursive: true });
    throw new CannotDrill('only root can mount a small file system');
  }
  return folder;
}

/** Writes until the disk is full. */
async function fill(disk: string, path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (let size = 1 << 24; size >= 4096; ) {
      const { bavail, bsize } = await statfs(disk);
      if (bavail * bsize < size) size /= 2;
      else await file.write(Buffer.alloc(size));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}

export const drills = { diskFull };
