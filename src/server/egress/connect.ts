import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { type AddressKind, classifyAddress } from './addresses.ts';
import { setDeadline } from './deadlines.ts';
import { type Resolve, resolveBySystem } from './resolve-name.ts';

/** The deadline for opening a connection. */
export const connectTimeoutMs = 10_000;

/**
 * Where a connection may lead: `loopback` this machine only, `private` also private networks, `public` only the public
 * network. None includes special addresses.
 */
export type Reach = 'loopback' | 'private' | 'public';

const kindsWithin: Record<Reach, AddressKind[]> = {
  loopback: ['loopback'],
  private: ['loopback', 'private', 'public'],
  public: ['public'],
};

/** The error for an address that a connection must not reach. */
export class AddressRefused extends Error {
  readonly kind: AddressKind;

  constructor(kind: AddressKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Opens a TCP connection. Every outgoing connection, except to the database, is opened here. The name is resolved
 * once, all of its addresses are checked, and only checked addresses are used, so DNS rebinding cannot redirect the
 * connection.
 * @param resolveHost resolves a name that others chose
 * @throws Error of any kind when no connection can be opened
 */
export function openTcp(
  host: string,
  port: number,
  reach: Reach,
  resolveHost: Resolve = resolveBySystem,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const checked: LookupFunction = (name, options, callback) => {
    resolveHost(name).then(
      (addresses) => {
        const refused = addresses.map(({ address }) => findProblem(address, reach)).find(Boolean);
        const first = addresses[0];
        if (refused || !first) callback(refused ?? new Error('no address'), [], 0);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, [], 0),
    );
  };
  const refused = isIP(host) ? findProblem(host, reach) : undefined;
  if (refused) return Promise.reject(refused);
  const socket = connectTcp({ host, port, lookup: checked, noDelay: true, keepAlive: true });
  guard(socket, resolve, reject, 'connect');
  return promise;
}

function findProblem(address: string, reach: Reach): AddressRefused | undefined {
  const kind = classifyAddress(address);
  if (kindsWithin[reach].includes(kind)) return undefined;
  if (kind === 'special') return new AddressRefused(kind, `the address ${address} is not allowed`);
  if (reach === 'loopback') return new AddressRefused(kind, 'http: is only allowed on loopback');
  return new AddressRefused(kind, `the address ${address} is private`);
}

/**
 * Starts TLS on an open connection.
 * @throws Error of any kind, also for an untrusted certificate or another name
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

/** Settles a connection attempt by its event, its error or the deadline, and removes all listeners. */
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
  const cancelDeadline = setDeadline(connectTimeoutMs, () => fail(new Error('connecting took too long')));
  const settle = () => {
    cancelDeadline();
    socket.off(connected, onConnect).off('error', fail).off('close', onClose);
    // Late errors of an abandoned socket have no listener.
    socket.on('error', () => undefined);
  };
  socket.once(connected, onConnect).once('error', fail).once('close', onClose);
}
