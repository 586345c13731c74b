// A process of its own that supervises one child until it is killed; says so once the child is ready.
import { createLog } from '#server/runtime/log.ts';
import { superviseChild } from '../../src/app/server/supervisor.ts';

const module = new URL('./supervised-child.ts', import.meta.url);
await superviseChild(
  { name: 'child', module, env: process.env },
  createLog('holder', 'silent'),
  () => undefined,
);
process.send?.('ready');
