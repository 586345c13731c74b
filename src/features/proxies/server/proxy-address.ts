import { BlockList, isIP, isIPv4 } from 'node:net';

const privateRanges = new BlockList();
privateRanges.addSubnet('127.0.0.0', 8, 'ipv4');
privateRanges.addSubnet('10.0.0.0', 8, 'ipv4');
privateRanges.addSubnet('172.16.0.0', 12, 'ipv4');
privateRanges.addSubnet('192.168.0.0', 16, 'ipv4');
privateRanges.addSubnet('100.64.0.0', 10, 'ipv4');
privateRanges.addAddress('::1', 'ipv6');
privateRanges.addSubnet('fc00::', 7, 'ipv6');

// Link-local (with the clouds' metadata services), unspecified, multicast and reserved.
const specialRanges = new BlockList();
specialRanges.addSubnet('0.0.0.0', 8, 'ipv4');
specialRanges.addSubnet('169.254.0.0', 16, 'ipv4');
specialRanges.addSubnet('224.0.0.0', 3, 'ipv4');
specialRanges.addAddress('::', 'ipv6');
specialRanges.addSubnet('fe80::', 10, 'ipv6');
specialRanges.addSubnet('ff00::', 8, 'ipv6');

/** What an address is to a proxy list: `special` ones are nobody's proxy, `private` ones only by permission. */
export type AddressKind = 'public' | 'private' | 'special';

/**
 * One way to write an IP address; an IPv4 address within an IPv6 one counts as itself.
 * @returns undefined for anything that is no address
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (isIP(text) !== 6 || text.includes('%')) return undefined;
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const groups = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!groups) return canonical;
  const [high, low] = [Number.parseInt(groups[1] ?? '', 16), Number.parseInt(groups[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** What a canonical address is. */
export function classifyAddress(address: string): AddressKind {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (specialRanges.check(address, family)) return 'special';
  return privateRanges.check(address, family) ? 'private' : 'public';
}
