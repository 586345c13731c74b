import type { Outcome } from '#features/sources/server/configuration/source.ts';
import type { Reply } from '#tests/support/sources/vendor-stand-in.ts';

/** The coverage of a device, in the order of the row: type, activation, purchase, title, start, end. */
type Row = [
  type: string | null,
  activation: 'activated' | 'unactivated' | null,
  purchase: string | null,
  title: string | null,
  start: string | null,
  end: string | null,
];

/** A documented response of the service, and its expected outcome. */
export type TemplateCase = {
  reply: Reply;
  outcome: Outcome['is'];
  row?: Row;
  retryAfterMs?: number;
  /** Only for `pending`: the request of the poll, as `GET /path?query`, and its response. */
  poll?: { id: string; call: string; reply: Reply; outcome: Outcome['is']; row?: Row };
};

export type Template = {
  /** The environment with the template's secrets. */
  env: Record<string, string>;
  cell: string;
  /** The expected request as `METHOD /path?query`, with headers and body if they matter. */
  call: string;
  headers?: Record<string, string>;
  body?: string;
  cases: TemplateCase[];
};

/** The device of all cases. */
export const imei = '353901102345677';
/** A response with status 200. */
export const ok = (body: unknown): Reply => ({ body });
export const status = (code: number, body: unknown = {}, headers: Record<string, string> = {}): Reply => ({
  status: code,
  body,
  headers,
});
