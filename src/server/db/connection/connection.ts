import type { Socket } from 'node:net';
import type pg from 'pg';

/** What pg keeps of a connection beside what its types tell. */
type Inner = { readyForQuery: boolean; processID: number | null; connection: { stream: Socket } };
const inner = (client: pg.ClientBase) => client as unknown as Inner;

/** Whether a statement was sent whose answer has not arrived. */
export function isAnswerDue(client: pg.ClientBase): boolean {
  return !inner(client).readyForQuery;
}

/** How many bytes have arrived so far. */
export function bytesReadFrom(client: pg.ClientBase): number {
  return inner(client).connection.stream.bytesRead;
}

/** The process of the server that serves a connection; 0 where it has not told. */
export function backendOf(client: pg.ClientBase): number {
  return inner(client).processID ?? 0;
}

/** A connection was given up that nothing came from any more. */
export class ConnectionLost extends Error {}

/** PostgreSQL's and the system's words for: no connection, none left, or the wait was too long. */
const passing = new Set([
  ...['55P03', '57014', '57P01', '57P02', '57P03', '53300', '25P03'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'],
]);
/** pg's words for the same. */
const terminated =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether the database could not be asked, or not in time: the same may succeed a little later. */
export function isPassingFailure(error: Error & { code?: string }): boolean {
  return error instanceof ConnectionLost || passing.has(error.code ?? '') || terminated.test(error.message);
}

/** Ends a connection without another word to the server: what is under way on it fails with `error`. */
export function breakConnection(client: pg.ClientBase, error: Error): void {
  inner(client).connection.stream.destroy(error);
}
