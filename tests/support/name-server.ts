import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/**
 * Starts a name server.
 * @param answer returns the IPv4 addresses of a name; undefined gives no answer
 */
export async function startNameServer(answer: (name: string) => string[] | undefined) {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12);
    const addresses = answer(readName(query.subarray(12, end)));
    if (!addresses) return;
    const isIPv4 = query.readUInt16BE(end + 1) === 1;
    const head = Buffer.from(query.subarray(0, 12));
    // An answer without an error, or one that the name does not exist.
    head.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(isIPv4 ? addresses.length : 0, 6);
    head.writeUInt32BE(0, 8);
    // One A record: pointer to the name, type A, class IN, TTL 0, four bytes.
    const records = addresses.map((one) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...one.split('.').map(Number)]),
    );
    const question = query.subarray(12, end + 5);
    server.send(Buffer.concat([head, question, ...(isIPv4 ? records : [])]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return { address: `127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Reads a name from its labels, each after its length. */
function readName(labels: Buffer): string {
  const parts: string[] = [];
  for (let at = 0; at < labels.length; at += (labels[at] ?? 0) + 1)
    parts.push(labels.toString('latin1', at + 1, at + 1 + (labels[at] ?? 0)));
  return parts.join('.').toLowerCase();
}
