import type { Config } from '#server/runtime/config.ts';

/** The identity provider, and how it knows the product. */
export type OidcSettings = { issuer: string; clientId: string; clientSecret: string };

/** Returns the settings of single sign-on; undefined without it. The configuration has all of them or none. */
export function findOidcSettings(config: Config): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config;
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret } : undefined;
}
