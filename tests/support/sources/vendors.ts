import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppleStandIn, appleAccount, startAppleStandIn } from './apple-stand-in.ts';
import { createAuthority } from './certificates.ts';
import { type GsxStandIn, gsxAccount, startGsxStandIn } from './gsx-stand-in.ts';

const activationToken = 'an activation token';

/** Stand-ins of Apple Business Manager and GSX, and the settings with which processes reach them. */
export type Vendors = {
  apple: AppleStandIn;
  gsx: GsxStandIn;
  /** The variables that a process needs. */
  env: Record<string, string>;
  /** Returns an entry of the sources file. */
  appleEntry(limits: object): object;
  gsxEntry(): object;
  close(): Promise<void>;
};

export async function startVendors(): Promise<Vendors> {
  const authority = createAuthority('Stand-in authority');
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-vendors-'));
  const keep = (name: string, content: string | Buffer) => writeFile(join(folder, name), content);
  const client = authority.issue('gsx client');
  await keep('authority.pem', authority.cert);
  await keep('client.pem', client.cert);
  await keep('client.key', client.key);
  await keep('apple.pem', keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const [apple, gsx] = await Promise.all([
    startAppleStandIn(publicKey, authority.issue('apple')),
    startGsxStandIn(authority, authority.issue('gsx'), activationToken),
  ]);
  return {
    apple,
    gsx,
    env: {
      GSX_ACTIVATION_TOKEN: activationToken,
      NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
    },
    appleEntry: (limits) => ({
      name: 'apple',
      kind: 'apple-business',
      base_url: apple.url,
      token_url: `${apple.url}/auth/oauth2/v2/token`,
      private_key: join(folder, 'apple.pem'),
      ...appleAccount,
      limits,
    }),
    gsxEntry: () => ({
      name: 'gsx',
      label: 'GSX',
      kind: 'gsx',
      base_url: gsx.url,
      client_cert: join(folder, 'client.pem'),
      client_key: join(folder, 'client.key'),
      activation_token: '${GSX_ACTIVATION_TOKEN}',
      ...gsxAccount,
      limits: { per_second: 200, concurrency: 4 },
    }),
    async close() {
      await gsx.close();
      await apple.close();
      await rm(folder, { recursive: true });
    },
  };
}
