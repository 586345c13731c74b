import { findVault } from '#server/vault/vault.ts';

/** The parts of a canonical proxy URL: scheme, user, password, host. User and password are percent-encoded. */
const parts = /^([a-z0-9]+:\/\/)([^:@/]*):([^:@/]+)@(.+)$/;

/** Returns a proxy's URL with the password sealed, for storage. Equal URLs give equal results. */
export function sealProxy(url: string): string {
  return replacePassword(url, (password) => findVault().seal('proxy', password));
}

/** Returns the URL with the password in clear text. */
export function openProxy(stored: string): string {
  return replacePassword(stored, (password) =>
    password.startsWith('sealed.') ? findVault().open('proxy', password) : password,
  );
}

function replacePassword(url: string, change: (password: string) => string): string {
  const [, scheme, user, password, host] = parts.exec(url) ?? [];
  return password === undefined ? url : `${scheme}${user}:${change(password)}@${host}`;
}
