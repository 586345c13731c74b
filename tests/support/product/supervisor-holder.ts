// A process that supervises one child until it is killed. Sends a message when the child is ready.

import { superviseChild } from '#app/server/processes/supervisor.ts';
import { createLog } from '#server/runtime/log.ts';

const module = new URL('./supervised-child.ts', import.meta.url);
await superviseChild(
  { name: 'child', module, env: process.env, later: Promise.resolve({}) },
  createLog('holder', 'silent'),
  () => undefined,
);
process.send?.('ready');
