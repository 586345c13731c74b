import { BlockList } from 'node:net';
import { canonicalAddress, familyOf, isLoopbackAddress, isSpecialAddress } from './ip-address.ts';

/** Metadata services of clouds at addresses that are not link-local. */
const metadata = new BlockList();
metadata.addAddress('100.100.100.200', 'ipv4');
metadata.addAddress('168.63.129.16', 'ipv4');
metadata.addAddress('192.0.0.192', 'ipv4');
metadata.addAddress('fd00:ec2::254', 'ipv6');
metadata.addAddress('fd20:ce::254', 'ipv6');

const privateRanges = new BlockList();
privateRanges.addSubnet('10.0.0.0', 8, 'ipv4');
privateRanges.addSubnet('172.16.0.0', 12, 'ipv4');
privateRanges.addSubnet('192.168.0.0', 16, 'ipv4');
privateRanges.addSubnet('100.64.0.0', 10, 'ipv4');
// For protocols between neighbours (RFC 6890) and for tests of networks (RFC 2544): never routed in public.
privateRanges.addSubnet('192.0.0.0', 24, 'ipv4');
privateRanges.addSubnet('198.18.0.0', 15, 'ipv4');
privateRanges.addSubnet('fc00::', 7, 'ipv6');
// Site-local addresses: deprecated by RFC 3879, but private where they are in use.
privateRanges.addSubnet('fec0::', 10, 'ipv6');

/**
 * The kind of an address to call. `special`: metadata services, link-local, unspecified, multicast, IPv4 embedded in
 * IPv6; no source lives there. `private`: a private network. `loopback`: this machine.
 */
export type AddressKind = 'public' | 'private' | 'loopback' | 'special';

/** Classifies an IP address in any spelling; a text that is no address is special. */
export function classifyAddress(text: string): AddressKind {
  const address = canonicalAddress(text);
  if (address === undefined || isSpecialAddress(address)) return 'special';
  const family = familyOf(address);
  if (metadata.check(address, family)) return 'special';
  if (isLoopbackAddress(address)) return 'loopback';
  return privateRanges.check(address, family) ? 'private' : 'public';
}

/** Returns whether a URL's host (name or address, brackets allowed) is written as loopback. */
export function isLoopbackHost(host: string): boolean {
  // A dot at the end makes a name absolute.
  const name = host.replace(/^\[|\]$|\.$/g, '');
  return name === 'localhost' || name.endsWith('.localhost') || classifyAddress(name) === 'loopback';
}
