import { lookup } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { isLoopback, isRefused } from './addresses.ts';
import { setDeadline } from './deadlines.ts';
import { HttpFailure } from './http-failure.ts';

/** How long it may take to open a connection. */
export const connectTimeoutMs = 10_000;

/**
 * Opens a TCP connection. A name is resolved once, its addresses are checked, and exactly those are connected to, so
 * that no second resolution can lead elsewhere.
 * @param only 'loopback' lets nothing but loopback addresses through, 'public' any that is not refused
 * @throws Error of any kind when no connection comes about
 */
export function openTcp(host: string, port: number, only: 'loopback' | 'public'): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const problem = (address: string) => {
    if (isRefused(address)) return new Error(`the address ${address} is not allowed`);
    if (only === 'loopback' && !isLoopback(address)) return new Error('http: is only allowed on loopback');
    return undefined;
  };
  const checked: LookupFunction = (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      const refused = addresses?.map(({ address }) => problem(address)).find(Boolean);
      const first = addresses?.[0];
      if (error || refused || !first) callback(error ?? refused ?? new Error('no address'), [], 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
  const refused = isIP(host) ? problem(host) : undefined;
  if (refused) return Promise.reject(refused);
  const socket = connectTcp({ host, port, lookup: checked, noDelay: true, keepAlive: true });
  guard(socket, resolve, reject, 'connect');
  return promise;
}

/**
 * Speaks TLS over an open connection.
 * @throws Error of any kind, also for a certificate that is not trusted or of another name
 */
export function upgradeToTls(socket: Socket, host: string, options: ConnectionOptions = {}): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const secure = connectTls({
    ...options,
    socket,
    ...(isIP(host) ? {} : { servername: host }),
    host,
    ALPNProtocols: ['http/1.1'],
  });
  guard(secure, resolve, reject, 'secureConnect');
  return promise;
}

/** Settles a connection attempt by its event, its failure or the time limit, and leaves no listener behind. */
function guard(
  socket: Socket,
  resolve: (socket: Socket) => void,
  reject: (error: Error) => void,
  connected: 'connect' | 'secureConnect',
): void {
  const fail = (error: Error) => {
    settle();
    socket.destroy();
    reject(error);
  };
  const onClose = () => fail(new Error('the connection was closed while it was being set up'));
  const onConnect = () => {
    settle();
    resolve(socket);
  };
  const callOff = setDeadline(connectTimeoutMs, () => fail(new Error('connecting took too long')));
  const settle = () => {
    callOff();
    socket.off(connected, onConnect).off('error', fail).off('close', onClose);
    // Nobody waits any more for an error of a socket that was given up.
    socket.on('error', () => undefined);
  };
  socket.once(connected, onConnect).once('error', fail).once('close', onClose);
}

/** The failure of an attempt to connect, in words. */
export function failureToConnect(
  fault: 'unreachable' | 'proxy' | 'target_unreachable',
  error: unknown,
): HttpFailure {
  if (error instanceof HttpFailure) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = error instanceof AggregateError ? (error.errors[0] as Error).message : message;
  return new HttpFailure(fault, code && !reason.includes(code) ? `${code} ${reason}`.trim() : reason, {
    cause: error,
  });
}
