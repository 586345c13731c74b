import { ADDRCONFIG, type LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { isLoopbackHost } from './addresses.ts';

/** Resolves a name to all its addresses. Throws if it has none, or no name server answers. */
export type Resolve = (name: string) => Promise<LookupAddress[]>;

/** Resolves a name as the system does, by its hosts file, search domains and name servers. */
export const resolveBySystem: Resolve = (name) => lookup(name, { all: true, hints: ADDRCONFIG });

/** 2 s and then 4 s for each name server: with one, less than the deadline for opening a connection. */
const patience = { timeout: 2000, tries: 2 };

/** A name with a dot, and whose end is no number. The system reads `127.1` as an address. */
const domainName = /\.[^.\d][^.]*\.?$/;

/**
 * Resolves a name that a company chose, whose name servers may be silent. `dns.lookup` would keep one of few threads of the
 * process until they have answered, also when nobody waits any more. So the system is asked only for its own names: without a
 * dot, or in its hosts file. Search domains do not count.
 * @param servers the name servers, by default those of the system
 */
export async function resolveCompanyName(name: string, servers?: string[]): Promise<LookupAddress[]> {
  if (!domainName.test(name) || isLoopbackHost(name) || (await isInHostsFile(name)))
    return resolveBySystem(name);
  const resolver = new Resolver(patience);
  if (servers) resolver.setServers(servers);
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(name),
    hasIPv6() ? resolver.resolve6(name) : [],
  ]);
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length > 0) return addresses;
  if (four.status === 'rejected') throw four.reason;
  // An alias of a name without addresses.
  throw Object.assign(new Error(`${name} has no address`), { code: 'ENODATA', syscall: 'queryA' });
}

/** Returns whether this machine has an IPv6 address: otherwise it cannot connect to one. */
function hasIPv6(): boolean {
  const addresses = Object.values(os.networkInterfaces()).flatMap((some) => some ?? []);
  return addresses.some(({ family, internal }) => family === 'IPv6' && !internal);
}

/** Returns whether the hosts file has a name, which precedes name servers. */
async function isInHostsFile(name: string): Promise<boolean> {
  const hosts = await readFile('/etc/hosts', 'utf8').catch(() => '');
  return hosts.toLowerCase().split(/\s+/).includes(name.toLowerCase());
}
