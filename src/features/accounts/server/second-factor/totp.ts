import { findVault } from '#server/vault/vault.ts';

/** The only form that all authenticator apps support: codes of 6 digits, a new one every 30 seconds, by HMAC-SHA-1. */
const form = { issuer: 'Coverdesk', algorithm: 'SHA1', digits: 6, period: 30 };
/** Codes of the step before and after count too, because clocks differ. */
const window = 1;

/**
 * Creates the secret of a second factor: 160 random bits.
 * @param email the name under which the app shows it
 * @returns the secret in base32, the same as an address for a QR code, and sealed to be stored
 */
export async function createTotpSecret(email: string) {
  const { Secret, TOTP } = await import('otpauth');
  const totp = new TOTP({ ...form, label: email, secret: new Secret({ size: 20 }) });
  const secret = totp.secret.base32;
  return { secret, uri: totp.toString(), sealed: findVault().seal('totp', secret) };
}

/**
 * Returns the 30-second step of a code; undefined for a wrong code.
 * @param sealed the stored secret
 */
export async function findStep(sealed: string, code: string, now: Date): Promise<number | undefined> {
  const { Secret, TOTP } = await import('otpauth');
  const totp = new TOTP({ ...form, secret: Secret.fromBase32(findVault().open('totp', sealed)) });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}
