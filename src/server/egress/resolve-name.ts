import { ADDRCONFIG, type LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isLoopbackHost } from './addresses.ts';

/** 2 s and then 4 s for each name server: with one, less than the deadline for opening a connection. */
const patience = { timeout: 2000, tries: 2 };

/** A name with a dot, and whose end is no number. The system reads `127.1` as an address. */
const domainName = /\.[^.\d][^.]*\.?$/;

/**
 * Resolves a name to all its addresses. `dns.lookup` keeps one of few threads of the process until the name servers
 * have answered, also when nobody waits for it any more. So it is asked only for names that others cannot let hang.
 * @param isPublic whether the name is not looked for in the operator's network (search domains)
 * @param servers the name servers, by default those of the system
 * @throws Error if it has no address, or the name servers do not answer
 */
export async function resolveName(
  name: string,
  isPublic: boolean,
  servers?: string[],
): Promise<LookupAddress[]> {
  if (!domainName.test(name) || isLoopbackHost(name) || (await isInHostsFile(name))) return askSystem(name);
  const resolver = new Resolver(patience);
  if (servers) resolver.setServers(servers);
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length > 0) return addresses;
  const errors = [four, six].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  const error = errors.find(({ code }) => code === 'ETIMEOUT') ?? errors[0];
  if (isPublic || error?.code === 'ETIMEOUT') throw error;
  return askSystem(name);
}

const askSystem = (name: string) => lookup(name, { all: true, hints: ADDRCONFIG });

/** Returns whether the hosts file has a name, which precedes name servers. */
async function isInHostsFile(name: string): Promise<boolean> {
  const hosts = await readFile('/etc/hosts', 'utf8').catch(() => '');
  return hosts.toLowerCase().split(/\s+/).includes(name.toLowerCase());
}
