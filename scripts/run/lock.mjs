import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cache, root } from './paths.mjs';

/** In ms. A lock that its holder did not touch for this long is free, even if another process has the holder's id by now. */
const staleAfter = 10_000;

/** Runs `work` while no other command of this checkout installs or builds; a killed one blocks nobody for long. */
export async function alone(work) {
  const file = join(cache, 'setup.lock');
  try {
    mkdirSync(cache, { recursive: true });
    while (!take(file)) await delay(200);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    throw new Error(`This account may not write to ${root}: run npm run build there as its owner first`);
  }
  const touch = setInterval(() => utimesSync(file, new Date(), new Date()), staleAfter / 5);
  try {
    await work();
  } finally {
    clearInterval(touch);
    rmSync(file, { force: true });
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isAbandoned(file)) rmSync(file, { force: true });
    return false;
  }
}

function isAbandoned(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Date.now() - statSync(file).mtimeMs > staleAfter || (pid > 0 && !isAlive(pid));
  } catch {
    // Its holder has just released it.
    return false;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
