import { findVault } from '#server/vault/vault.ts';

/** A proxy's canonical URL, its password in the third part; user and password are percent-encoded. */
const parts = /^([a-z0-9]+:\/\/)([^:@/]*):([^:@/]+)@(.+)$/;

/** A proxy's URL as it is stored: its password sealed. Equal URLs have equal forms. */
export function sealProxy(url: string): string {
  return replacePassword(url, (password) => findVault().seal('proxy', password));
}

/** The URL behind a stored one. */
export function openProxy(stored: string): string {
  return replacePassword(stored, (password) =>
    password.startsWith('sealed.') ? findVault().open('proxy', password) : password,
  );
}

function replacePassword(url: string, change: (password: string) => string): string {
  const [, scheme, user, password, host] = parts.exec(url) ?? [];
  return password === undefined ? url : `${scheme}${user}:${change(password)}@${host}`;
}
