import pg from 'pg';

/** The error of a read whose server was lost. */
export class ConnectionLost extends Error {}

/** Codes for: no connection, too many connections, a timeout, or a conflict. SQLSTATE class 08 is that of connections. */
const transientCodes = new Set([
  ...['55P03', '57014', '57P01', '57P02', '57P03', '53300', '25P03'],
  ...['40P01', '40001'],
  // System codes of a host that cannot be reached.
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'],
  ...['EAI_AGAIN', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'],
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

/**
 * Node sends ten probes after this pause, one a second: an unreachable server is noticed after 15 s without traffic. Node
 * cannot set TCP_USER_TIMEOUT, so for a statement that was sent and is not acknowledged, `query_timeout` does.
 */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5000 };
const connectMs = 10_000;

/** Opens a single connection, within 10 s by default. If it breaks, its statement fails, or the next one. */
export async function openClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ connectionTimeoutMillis: connectMs, ...keepAlive, ...config });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
