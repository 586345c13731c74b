import type { Outcome } from '#features/sources/server/configuration/source.ts';
import type { Reply } from '#tests/support/sources/vendor-stand-in.ts';

/** What is known of a device, in the order of the row: type, activation, purchase, title, start, end. */
type Row = [
  type: string | null,
  activation: 'activated' | 'unactivated' | null,
  purchase: string | null,
  title: string | null,
  start: string | null,
  end: string | null,
];

/** An answer of the service in its documented shape, and what it must mean. */
export type TemplateCase = {
  reply: Reply;
  outcome: Outcome['is'];
  row?: Row;
  retryAfterMs?: number;
  /** Only for `pending`: what is asked for again, as `GET /path?query`, and what that answers. */
  poll?: { id: string; call: string; reply: Reply; outcome: Outcome['is']; row?: Row };
};

export type Template = {
  /** The environment that the template's secrets come from. */
  env: Record<string, string>;
  cell: string;
  /** The request that is sent, as `METHOD /path?query`; headers and body where they matter. */
  call: string;
  headers?: Record<string, string>;
  body?: string;
  cases: TemplateCase[];
};

/** A device that every service is asked about. */
export const imei = '353901102345677';
/** An answer with status 200. */
export const ok = (body: unknown): Reply => ({ body });
export const status = (code: number, body: unknown = {}, headers: Record<string, string> = {}): Reply => ({
  status: code,
  body,
  headers,
});
