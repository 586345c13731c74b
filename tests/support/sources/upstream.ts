import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { UpstreamCommand, UpstreamPhase, UpstreamReport, UpstreamStep } from './upstream-plan.ts';

/** A coverage service in a separate process, which responds by a plan and counts its calls. */
export type Upstream = {
  /** The base URL without a trailing slash. It stays the same after `vanish` and `comeBack`. */
  url: string;
  /** Sets the responses to serials, call by call. The last one is repeated. Other serials are known devices. */
  plan(serials: Record<string, UpstreamStep[]>): Promise<void>;
  setPhase(phase: UpstreamPhase): Promise<void>;
  setLatency(ms: number): Promise<void>;
  report(): Promise<UpstreamReport>;
  /** Refuses new connections, and closes the open ones. */
  vanish(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
};

export async function startUpstream(): Promise<Upstream> {
  const child = fork(fileURLToPath(new URL('./upstream-process.ts', import.meta.url)), {
    serialization: 'advanced',
  });
  const tell = async (command: UpstreamCommand): Promise<Record<string, unknown>> => {
    const answered = once(child, 'message');
    child.send(command);
    const [answer] = await answered;
    return answer as Record<string, unknown>;
  };
  const { listening } = await tell({ do: 'listen', port: 0 });
  const port = Number(listening);
  return {
    url: `http://127.0.0.1:${port}`,
    async plan(serials) {
      await tell({ do: 'plan', serials });
    },
    async setPhase(phase) {
      await tell({ do: 'phase', phase });
    },
    async setLatency(ms) {
      await tell({ do: 'latency', ms });
    },
    report: async () => (await tell({ do: 'report' })).report as UpstreamReport,
    async vanish() {
      await tell({ do: 'vanish' });
    },
    async comeBack() {
      await tell({ do: 'listen', port });
    },
    async close() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** An entry of SOURCES_FILE that asks the stand-in upstream. */
export function upstreamEntry({ url }: Pick<Upstream, 'url'>, more: object = {}): Record<string, unknown> {
  return {
    name: 'stand-in',
    label: 'Stand-in service',
    kind: 'http',
    request: { url: `${url}/v1/coverage/{serial}`, timeout_ms: 5000 },
    outcomes: [
      { if: 'status = 200 and body.code = 0', then: 'found' },
      { if: 'status = 404 or body.code = 404', then: 'not_found' },
      { if: 'status = 429', then: 'throttled' },
      { if: 'status in [401, 403]', then: 'auth' },
      { if: 'status = 402', then: 'quota' },
      { if: 'status >= 500', then: 'retry' },
    ],
    fields: {
      type: 'body.model',
      activation_status:
        "body.activated = true ? 'activated' : body.activated = false ? 'unactivated' : null",
      purchase_date: 'body.purchase.date',
      warranty_title: 'body.coverage.title',
      coverage_start_date: 'body.coverage.start',
      coverage_end_date: 'body.end',
    },
    ...more,
  };
}

/**
 * Returns the maximum number of calls that arrived within any second.
 * @param earliest the earliest possible arrival times, in the same order, if `starts` may be late. Only calls that
 * certainly arrived within one second are counted then
 */
export function peakPerSecond(starts: number[], earliest = starts): number {
  const sorted = starts.toSorted((a, b) => a - b);
  const from = earliest.toSorted((a, b) => a - b);
  let first = 0;
  return sorted.reduce((peak, start, index) => {
    while ((from[first] ?? 0) <= start - 1000) first += 1;
    return Math.max(peak, index - first + 1);
  }, 0);
}
