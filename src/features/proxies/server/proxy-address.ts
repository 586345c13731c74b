import { BlockList } from 'node:net';
import { familyOf, isLoopbackAddress, isSpecialAddress } from '#server/ip-address.ts';

const privateRanges = new BlockList();
privateRanges.addSubnet('10.0.0.0', 8, 'ipv4');
privateRanges.addSubnet('172.16.0.0', 12, 'ipv4');
privateRanges.addSubnet('192.168.0.0', 16, 'ipv4');
privateRanges.addSubnet('100.64.0.0', 10, 'ipv4');
privateRanges.addSubnet('fc00::', 7, 'ipv6');

/** What an address is to a proxy list: `special` ones are nobody's proxy, `private` ones only by permission. */
export type AddressKind = 'public' | 'private' | 'special';

/** What a canonical address is. */
export function classifyAddress(address: string): AddressKind {
  if (isSpecialAddress(address)) return 'special';
  if (isLoopbackAddress(address)) return 'private';
  return privateRanges.check(address, familyOf(address)) ? 'private' : 'public';
}
