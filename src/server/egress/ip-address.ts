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
// IPv6 addresses that some routers translate to the IPv4 address in them: IPv4-compatible, IPv4-translated, NAT64,
// Teredo, 6to4. `canonicalAddress` returns IPv4-mapped ones and those of NAT64's well-known prefix as IPv4.
special.addSubnet('::', 96, 'ipv6');
special.addSubnet('::ffff:0:0:0', 96, 'ipv6');
special.addSubnet('64:ff9b::', 96, 'ipv6');
special.addSubnet('64:ff9b:1::', 48, 'ipv6');
special.addSubnet('2001::', 32, 'ipv6');
special.addSubnet('2002::', 16, 'ipv6');

/**
 * Returns the canonical form of an IP address; the IPv4 address of an IPv4-mapped or NAT64 one.
 * @returns undefined for text that is not an address, and for an address with a zone (`fe80::1%eth0`)
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (isIP(text) !== 6 || text.includes('%')) return undefined;
  // The URL parser writes an embedded IPv4 address as two groups of hex digits.
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const groups = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!groups) return canonical;
  const [high, low] = [Number.parseInt(groups[1] ?? '', 16), Number.parseInt(groups[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * Returns the key of a caller's address for rate limits: the IPv4 address, or the /64 of an IPv6 address, because one
 * household or machine usually gets a whole /64. Other text is returned as it is.
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

/** Returns whether a canonical address is loopback. */
export function isLoopbackAddress(address: string): boolean {
  return loopback.check(address, familyOf(address));
}

/** Returns whether a canonical address is link-local (most cloud metadata services), unspecified, multicast or reserved. */
export function isSpecialAddress(address: string): boolean {
  return address !== '::1' && special.check(address, familyOf(address));
}

/** Returns the family of a canonical address, as `BlockList` names it. */
export function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}
