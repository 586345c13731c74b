import { BlockList } from 'node:net';
import { canonicalAddress, familyOf, isLoopbackAddress, isSpecialAddress } from '#server/ip-address.ts';

/** The clouds' metadata services, where they are not link-local. */
const metadata = new BlockList();
metadata.addAddress('100.100.100.200', 'ipv4');
metadata.addAddress('168.63.129.16', 'ipv4');
metadata.addAddress('192.0.0.192', 'ipv4');
metadata.addAddress('fd00:ec2::254', 'ipv6');
metadata.addAddress('fd20:ce::254', 'ipv6');

/** Whether an IP address belongs to this machine alone. */
export function isLoopback(text: string): boolean {
  const address = canonicalAddress(text);
  return address !== undefined && isLoopbackAddress(address);
}

/** Whether an IP address must never be connected to on behalf of a source. */
export function isRefused(text: string): boolean {
  const address = canonicalAddress(text);
  return address === undefined || isSpecialAddress(address) || metadata.check(address, familyOf(address));
}

/** Whether a URL's host (name or address, brackets allowed) is written as loopback. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isLoopback(host.replace(/^\[|\]$/g, ''));
}
