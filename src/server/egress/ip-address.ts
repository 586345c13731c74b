import { BlockList, isIP, isIPv4 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const special = new BlockList();
special.addSubnet('0.0.0.0', 8, 'ipv4');
special.addSubnet('169.254.0.0', 16, 'ipv4');
special.addSubnet('224.0.0.0', 3, 'ipv4');
special.addAddress('::', 'ipv6');
special.addSubnet('fe80::', 10, 'ipv6');
special.addSubnet('ff00::', 8, 'ipv6');
// IPv4 addresses in IPv6 clothes, which some machines on the way undress: IPv4-compatible and IPv4-translated ones,
// NAT64 by a prefix of one's own, Teredo and 6to4. The mapped ones and NAT64's common prefix are read as IPv4 before.
special.addSubnet('::', 96, 'ipv6');
special.addSubnet('::ffff:0:0:0', 96, 'ipv6');
special.addSubnet('64:ff9b:1::', 48, 'ipv6');
special.addSubnet('2001::', 32, 'ipv6');
special.addSubnet('2002::', 16, 'ipv6');

/**
 * One way to write an IP address; an IPv4 address within an IPv6 one (mapped, or of NAT64) counts as itself.
 * @returns undefined for anything that is not an address, and for one that holds on a single interface (`fe80::1%eth0`)
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (isIP(text) !== 6 || text.includes('%')) return undefined;
  // The URL parser writes every IPv6 address in one way, an embedded IPv4 one as two groups of hex digits.
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const groups = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!groups) return canonical;
  const [high, low] = [Number.parseInt(groups[1] ?? '', 16), Number.parseInt(groups[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * What counts as one address where callers are limited: an IPv4 address as it is, of an IPv6 one the /64 that one
 * household or machine is usually given. What is no address is taken as it stands.
 */
export function networkOf(text: string): string {
  const address = canonicalAddress(text.split('%')[0] ?? '');
  if (address === undefined) return text.slice(0, 64);
  if (isIPv4(address)) return address;
  const [front = '', back = ''] = address.split('::');
  const [left, right] = [front, back].map((groups) => groups.split(':').filter(Boolean)) as [
    string[],
    string[],
  ];
  const groups = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** Whether a canonical address belongs to this machine alone. */
export function isLoopbackAddress(address: string): boolean {
  return loopback.check(address, familyOf(address));
}

/** Whether a canonical address is link-local (as many clouds' metadata services are), unspecified, multicast or reserved. */
export function isSpecialAddress(address: string): boolean {
  return address !== '::1' && special.check(address, familyOf(address));
}

/** What `BlockList` calls the kind of a canonical address. */
export function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}
