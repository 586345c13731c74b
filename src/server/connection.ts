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

/** Ends a connection without another word to the server: what is under way on it fails with `error`. */
export function breakConnection(client: pg.ClientBase, error: Error): void {
  inner(client).connection.stream.destroy(error);
}
