import { isIP, type Socket } from 'node:net';
import { HttpFailure } from './http-failure.ts';
import { readSome } from './read-some.ts';

const version = 5;
/** Replies (RFC 1928) which say that the proxy works but cannot reach the target. */
const targetUnreachableReplies = new Map([
  [3, 'network unreachable'],
  [4, 'host unreachable'],
  [5, 'connection refused'],
  [6, 'TTL expired'],
]);

/**
 * Asks a SOCKS5 proxy for a connection (RFC 1928, with user and password by RFC 1929).
 * @throws HttpFailure proxy or target_unreachable, or the connection's own error
 */
export async function requestSocks(socket: Socket, proxy: URL, host: string, port: number): Promise<void> {
  const reader = createReader(socket);
  const user = Buffer.from(decodeURIComponent(proxy.username));
  const password = Buffer.from(decodeURIComponent(proxy.password));
  socket.write(Buffer.from(user.length > 0 ? [version, 2, 0, 2] : [version, 1, 0]));
  const [spoken, method] = await reader.read(2);
  if (spoken !== version) throw new HttpFailure('proxy', 'the proxy did not answer in SOCKS5');
  if (method === 2 && user.length > 0) {
    socket.write(
      Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([password.length]), password]),
    );
    const [, refused] = await reader.read(2);
    if (refused !== 0) throw new HttpFailure('proxy', 'the proxy refused its user or password');
  } else if (method !== 0) {
    throw new HttpFailure('proxy', 'the proxy asks for another kind of sign-in');
  }
  socket.write(
    Buffer.concat([Buffer.from([version, 1, 0]), addressOf(host), Buffer.from([port >> 8, port & 255])]),
  );
  const [, reply = 1, , kind] = await reader.read(4);
  if (reply !== 0) {
    const reason = targetUnreachableReplies.get(reply);
    throw new HttpFailure(
      reason ? 'target_unreachable' : 'proxy',
      `the proxy answered ${reason ?? `with failure ${reply}`}`,
    );
  }
  // Skips the address that the proxy uses.
  const rest = kind === 1 ? 4 : kind === 4 ? 16 : ((await reader.read(1))[0] ?? 0);
  await reader.read(rest + 2);
  reader.giveBack();
}

function addressOf(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from([1, ...host.split('.').map(Number)]);
  if (isIP(host) === 6) return Buffer.from([4, ...bytesOf(host)]);
  const name = Buffer.from(host, 'latin1');
  return Buffer.concat([Buffer.from([3, name.length]), name]);
}

function bytesOf(address: string): number[] {
  // The URL parser leaves only groups of hex digits and at most one gap.
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [head, tail] = [groups(left), groups(right ?? '')];
  const gap = Array.from({ length: 8 - head.length - tail.length }, () => 0);
  return [...head, ...gap, ...tail].flatMap((group) => [group >> 8, group & 255]);
}

function createReader(socket: Socket) {
  let held: Buffer = Buffer.alloc(0);
  return {
    async read(length: number): Promise<Buffer> {
      while (held.length < length) held = Buffer.concat([held, await readSome(socket)]);
      const part = held.subarray(0, length);
      held = held.subarray(length);
      return part;
    },
    /** Returns bytes that already belong to the target to the connection. */
    giveBack() {
      if (held.length > 0) socket.unshift(held);
    },
  };
}
