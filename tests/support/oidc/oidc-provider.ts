import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const signInPage = `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,">
<form><label>Subject <input name="subject"></label><button>Continue</button></form></html>`;

/** The claims of a person at the provider, besides the subject. */
type Person = Record<string, unknown>;

export const oidcClient = { id: 'coverdesk', secret: 'a secret of the tests, of no use elsewhere' };

/**
 * Starts a real identity provider on loopback. Its sign-in page takes the subject of a person without a password, or none
 * to cancel.
 * @param callback the product's address that the provider sends browsers back to
 */
export async function startOidcProvider(callback: string) {
  const people = new Map<string, Person>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: oidcClient.id, client_secret: oidcClient.secret, redirect_uris: [callback] }],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name', 'company'] },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, ...people.get(subject) }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of the tests'] },
    pkce: { required: () => true },
    loadExistingGrant: async (context) => {
      const { oidc } = context;
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const serve = provider.callback();
  server.on('request', async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    if (!pathname.startsWith('/interaction/')) return serve(request, response);
    const subject = searchParams.get('subject');
    if (subject === null) return response.setHeader('content-type', 'text/html').end(signInPage);
    const result = subject
      ? { login: { accountId: subject } }
      : { error: 'access_denied', error_description: 'cancelled' };
    await provider.interactionFinished(request, response, result);
  });
  return {
    issuer,
    people,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

/**
 * Signs in at the provider as a browser with a cookie jar would.
 * @param address where the product sent the browser
 * @param subject the person; null cancels
 * @returns the address of the product that the provider sends the browser back to
 */
export async function signInAtProvider(address: string, subject: string | null): Promise<URL> {
  const jar = new Map<string, string>();
  let next = new URL(address);
  const { origin } = next;
  while (next.origin === origin) {
    if (next.pathname.startsWith('/interaction/')) next.searchParams.set('subject', subject ?? '');
    const answer = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';', 1)[0]?.split('=') ?? [];
      jar.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${next.pathname}: ${answer.status} ${await answer.text()}`);
    next = new URL(location, next);
  }
  return next;
}
