import type { Socket } from 'node:net';
import pg from 'pg';

/** The private fields of a pg client that distinguish a half-open connection from a slow statement (docs/dependencies.md). */
type Inner = { readyForQuery: boolean; processID: number | null; connection: { stream: Socket } };
const inner = (client: pg.ClientBase) => client as unknown as Inner;

/** Returns whether a statement was sent and its response is not complete. */
export function isAnswerDue(client: pg.ClientBase): boolean {
  return !inner(client).readyForQuery;
}

/** Returns the number of bytes received so far. */
export function bytesReadFrom(client: pg.ClientBase): number {
  return inner(client).connection.stream.bytesRead;
}

/** Returns the process id of the connection's server process; 0 while it is unknown. */
export function backendOf(client: pg.ClientBase): number {
  return inner(client).processID ?? 0;
}

/** The error of a connection that was closed because it had gone silent. */
export class ConnectionLost extends Error {}

/** System codes of a host that cannot be reached. */
export const unreachableCodes = [
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'],
  ...['EAI_AGAIN', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'],
];
/** Codes for: no connection, too many connections, a timeout, or a conflict. SQLSTATE class 08 is that of connections. */
const transientCodes = new Set([
  ...['55P03', '57014', '57P01', '57P02', '57P03', '53300', '25P03'],
  ...['40P01', '40001'],
  ...unreachableCodes,
]);
/** The messages of pg for the same. */
const transientMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error)/;

/** Returns whether the database could not be reached, did not respond in time, or ended a deadlock: a retry may succeed. */
export function isTransientFailure(error: Error & { code?: string }): boolean {
  return (
    error instanceof ConnectionLost ||
    transientCodes.has(error.code ?? '') ||
    /^08...$/.test(error.code ?? '') ||
    transientMessages.test(error.message)
  );
}

/** Returns whether an error comes from the database or from the connection to it. */
export function isDatabaseFailure(error: Error): boolean {
  return error instanceof pg.DatabaseError || isTransientFailure(error);
}

/** Opens a single connection. If it breaks, its statement fails, or the next one. */
export async function openClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Closes a connection's socket at once. The running statement fails with `error`. */
export function breakConnection(client: pg.ClientBase, error: Error): void {
  inner(client).connection.stream.destroy(error);
}

/** Closes a connection on which nothing is sent or received for `ms`. Its statement fails. */
export function closeWhenSilent(client: pg.ClientBase, ms: number): void {
  const { stream } = inner(client).connection;
  stream.setTimeout(ms, () => stream.destroy(new ConnectionLost('the database connection fell silent')));
}
