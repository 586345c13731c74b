import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Addresses that no source lives at: link-local, the clouds' metadata services, unspecified, multicast. */
const refused = new BlockList();
refused.addSubnet('0.0.0.0', 8, 'ipv4');
refused.addSubnet('169.254.0.0', 16, 'ipv4');
refused.addSubnet('224.0.0.0', 3, 'ipv4');
refused.addAddress('100.100.100.200', 'ipv4');
refused.addAddress('168.63.129.16', 'ipv4');
refused.addAddress('192.0.0.192', 'ipv4');
refused.addAddress('::', 'ipv6');
refused.addSubnet('fe80::', 10, 'ipv6');
refused.addSubnet('ff00::', 8, 'ipv6');
refused.addAddress('fd00:ec2::254', 'ipv6');
refused.addAddress('fd20:ce::254', 'ipv6');

/** Whether an IP address belongs to this machine alone. */
export function isLoopback(address: string): boolean {
  const plain = unwrap(address);
  return isIP(plain) !== 0 && loopback.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

/** Whether an IP address must never be connected to on behalf of a source. */
export function isRefused(address: string): boolean {
  const plain = unwrap(address);
  return isIP(plain) === 0 || refused.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a URL's host (name or address, brackets allowed) is written as loopback. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isLoopback(host.replace(/^\[|\]$/g, ''));
}

/** An IPv4 address within an IPv6 one, however it is written, as itself. */
function unwrap(address: string): string {
  const bare = address.split('%')[0] ?? '';
  if (isIP(bare) !== 6) return bare;
  // The URL parser writes every IPv6 address in one way, an embedded IPv4 one as two groups of hex digits.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const groups = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!groups) return canonical;
  const [high, low] = [Number.parseInt(groups[1] ?? '', 16), Number.parseInt(groups[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
