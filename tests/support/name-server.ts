import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/**
 * Starts a name server.
 * @param answer returns the IPv4 addresses of a name, or that it is an alias of a name without addresses; undefined gives no
 *   answer
 */
export async function startNameServer(
  answer: (name: string, type: 'A' | 'AAAA') => string[] | 'alias' | undefined,
) {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12);
    const isIPv4 = query.readUInt16BE(end + 1) === 1;
    const found = answer(readName(query.subarray(12, end)), isIPv4 ? 'A' : 'AAAA');
    if (!found) return;
    const records = found === 'alias' ? [alias] : found.map(addressRecord);
    const sent = isIPv4 || found === 'alias' ? records : [];
    const head = Buffer.from(query.subarray(0, 12));
    // An answer without an error, or one that the name does not exist.
    head.writeUInt16BE(records.length > 0 ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(sent.length, 6);
    head.writeUInt32BE(0, 8);
    const question = query.subarray(12, end + 5);
    server.send(Buffer.concat([head, question, ...sent]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return { address: `127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** An A record: pointer to the name, type A, class IN, TTL 0, four bytes. */
const addressRecord = (address: string) =>
  Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);

/** A CNAME record: pointer to the name, type CNAME, class IN, TTL 0, the name "x". */
const alias = Buffer.from([0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 0, 0, 3, 1, 0x78, 0]);

/** Reads a name from its labels, each after its length. */
function readName(labels: Buffer): string {
  const parts: string[] = [];
  for (let at = 0; at < labels.length; at += (labels[at] ?? 0) + 1)
    parts.push(labels.toString('latin1', at + 1, at + 1 + (labels[at] ?? 0)));
  return parts.join('.').toLowerCase();
}
