// The identity provider, by OpenID Connect. Loaded at the first single sign-on, because the start does not need it.
import * as client from 'openid-client';
import { createGuardedFetch } from '#server/egress/guarded-fetch.ts';
import type { OidcSettings } from './oidc-settings.ts';

/** The deadline of each call to the provider. */
const callMs = 5000;
const maxAnswerBytes = 1024 * 1024;
/** After so long the provider's metadata is read again. */
const freshMs = 60 * 60 * 1000;

/** The values that a sign-in needs when the browser comes back. */
export type Flow = { state: string; nonce: string; verifier: string };

/** A person, as the provider's claims say it. */
export type Claims = Record<string, unknown>;

const guardedFetch = createGuardedFetch({ timeoutMs: callMs, maxBytes: maxAnswerBytes });

let cachedProvider: { issuer: string; at: number; provider: Promise<client.Configuration> } | undefined;

/** Returns the provider's metadata. Concurrent calls share one reading; a failure is not kept. */
function findProvider(settings: OidcSettings): Promise<client.Configuration> {
  const { issuer } = settings;
  if (cachedProvider?.issuer === issuer && performance.now() - cachedProvider.at < freshMs)
    return cachedProvider.provider;
  const provider = discover(settings);
  cachedProvider = { issuer, at: performance.now(), provider };
  provider.catch(() => {
    if (cachedProvider?.provider === provider) cachedProvider = undefined;
  });
  return provider;
}

function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<client.Configuration> {
  const url = new URL(issuer);
  const authenticate: client.ClientAuth = (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const by = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost;
    by(clientSecret)(server, ...rest);
  };
  return client.discovery(url, clientId, undefined, authenticate, {
    timeout: callMs / 1000,
    [client.customFetch]: guardedFetch,
    execute: [
      // ID tokens are verified by their signature, although they come from the provider itself.
      client.enableNonRepudiationChecks,
      // The configuration accepts http: on loopback alone.
      ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  });
}

/**
 * Begins a sign-in: authorization code flow with PKCE, state and nonce.
 * @param callback the address to which the provider sends the browser back
 * @returns the address to send the browser to, and what to remember until it comes back
 * @throws Error of any kind when the provider does not answer
 */
export async function beginFlow(settings: OidcSettings, callback: string): Promise<{ url: URL; flow: Flow }> {
  const provider = await findProvider(settings);
  const flow = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: callback,
    scope: 'openid email profile',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  });
  return { url, flow };
}

/**
 * Completes a sign-in by the address to which the provider sent the browser.
 * @param claimNames claims that the provider may keep for its userinfo endpoint
 * @returns the verified claims of the person
 * @throws Error of any kind when the provider refuses, does not answer, or answers something wrong
 */
export async function finishFlow(
  settings: OidcSettings,
  address: URL,
  { state, nonce, verifier }: Flow,
  claimNames: string[],
): Promise<Claims> {
  const provider = await findProvider(settings);
  const tokens = await client.authorizationCodeGrant(provider, address, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('the provider sent no ID token');
  const isComplete = claimNames.every((name) => claims[name] !== undefined);
  if (isComplete || provider.serverMetadata().userinfo_endpoint === undefined) return claims;
  const userInfo = await client.fetchUserInfo(provider, tokens.access_token, claims.sub);
  return mergeClaims(claims, userInfo);
}

/** Adds the user info, which nobody signed, to the claims of the ID token. An address and its verification stay together. */
export function mergeClaims(claims: Claims, userInfo: Claims): Claims {
  const { email, email_verified, xms_edov } =
    claims.email !== undefined && (claims.email_verified ?? claims.xms_edov) !== undefined
      ? claims
      : userInfo;
  return { ...userInfo, ...claims, email, email_verified, xms_edov };
}
