// A process with a coverage service that responds by a plan and counts its calls.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UpstreamCommand, UpstreamPhase, UpstreamReport, UpstreamStep } from './upstream-plan.ts';

const plans = new Map<string, UpstreamStep[]>();
const calls = new Map<string, number>();
const starts: number[] = [];
const earliest: number[] = [];
/** All data that arrived before this time has been read. On a busy machine it may be long ago. */
let readUntil = now();
let phase: UpstreamPhase = 'normal';
let latencyMs = 0;
let open = 0;
let maxConcurrency = 0;
let busyMs = 0;
let server: Server | undefined;

const phaseSteps: Record<Exclude<UpstreamPhase, 'normal'>, UpstreamStep> = {
  auth: { status: 401, body: { error: 'who are you?' } },
  quota: { status: 402, body: { error: 'pay first' } },
  broken: { status: 503, body: { error: 'later' } },
};

function now(): number {
  return performance.timeOrigin + performance.now();
}

/**
 * Between a timer and the next immediate, Node reads all data that arrived before the timer, except from connections
 * that it accepts in the same turn. Those are read one turn later.
 */
let acceptedUntil = readUntil;
setInterval(() => {
  const before = now();
  setImmediate(() => {
    readUntil = acceptedUntil;
    acceptedUntil = before;
  });
}, 2);

function handle(request: IncomingMessage, response: ServerResponse): void {
  const began = performance.now();
  starts.push(performance.timeOrigin + began);
  earliest.push(readUntil);
  open += 1;
  maxConcurrency = Math.max(maxConcurrency, open);
  response.once('close', () => {
    open -= 1;
    busyMs += performance.now() - began;
  });
  const serial = decodeURIComponent((request.url ?? '/').split('?')[0]?.split('/').at(-1) ?? '');
  const call = calls.get(serial) ?? 0;
  calls.set(serial, call + 1);
  const plan = plans.get(serial);
  const step = phase === 'normal' ? (plan?.[Math.min(call, plan.length - 1)] ?? {}) : phaseSteps[phase];
  if (step.hang) return;
  if (step.trickle) {
    trickle(response);
    return;
  }
  const delay = step.delayMs ?? latencyMs;
  if (delay > 0) setTimeout(() => answer(response, serial, step), delay);
  else answer(response, serial, step);
}

function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 1000);
  response.once('close', () => clearInterval(timer));
}

function answer(response: ServerResponse, serial: string, step: UpstreamStep): void {
  if (step.reset) return void response.socket?.destroy();
  const body = step.body ?? { code: 0, serial, model: 'Stand-in phone', activated: true, end: '2027-05-31' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(step.status ?? 200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...step.headers,
  });
  response.end(text);
}

function listen(port: number): void {
  const fresh = createServer({ keepAliveTimeout: 60_000 }, handle);
  server = fresh;
  fresh.listen(port, '127.0.0.1', () => {
    process.send?.({ listening: (fresh.address() as AddressInfo).port });
  });
}

process.on('message', (command: UpstreamCommand) => {
  switch (command.do) {
    case 'plan':
      for (const [serial, steps] of Object.entries(command.serials)) plans.set(serial, steps);
      process.send?.({ planned: true });
      return;
    case 'phase':
      phase = command.phase;
      process.send?.({ phase });
      return;
    case 'latency':
      latencyMs = command.ms;
      process.send?.({ latencyMs });
      return;
    case 'report': {
      const report: UpstreamReport = {
        calls: Object.fromEntries(calls),
        starts,
        earliest,
        maxConcurrency,
        busyMs,
      };
      process.send?.({ report });
      return;
    }
    case 'listen':
      listen(command.port);
      return;
    case 'vanish':
      server?.close(() => process.send?.({ vanished: true }));
      server?.closeAllConnections();
  }
});
process.on('disconnect', () => process.exit(0));
