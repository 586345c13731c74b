import { email as emailForm } from '#shared/answers.ts';
import { cutText } from '#shared/cut-text.ts';
import { hasNoAddress, isPlainName, replaceControls } from '#shared/name-rules.ts';
import { ownValue } from '#shared/own-value.ts';
import type { Claims } from './provider.ts';

/** The person whom the provider has identified. */
export type Identity = { email: string; firstName: string; lastName: string; companyCode: string | null };

const maxNameLength = 100;

/**
 * Reads a person from verified claims.
 * @param companyClaim the name of the claim that names a company code
 * @returns undefined without a verified email address
 */
export function readIdentity(claims: Claims, companyClaim: string | undefined): Identity | undefined {
  const { data: email } = emailForm.safeParse(claims.email);
  if (email === undefined || !isVerified(claims)) return undefined;
  const givenName = textOf(claims.given_name);
  const names = givenName ? [givenName, textOf(claims.family_name)] : [textOf(claims.name), ''];
  const [firstName = '', lastName = ''] = names.map(toName);
  const company = companyClaim === undefined ? '' : textOf(ownValue(claims, companyClaim));
  return { email, firstName: firstName || nameFrom(email), lastName, companyCode: company || null };
}

/** Returns a claim as a name that the product would take from an administrator; empty if it would not. */
function toName(claim: string): string {
  const name = cutText(claim, maxNameLength);
  return isPlainName(name) && hasNoAddress(name) ? name : '';
}

/** Names a person by the part of the address before the @, in words. */
function nameFrom(email: string): string {
  const words = (email.split('@')[0] ?? '').replaceAll(/[^\p{L}\d]+/gu, ' ').trim();
  return cutText(words, maxNameLength) || 'User';
}

/** Returns the email address that somebody claims, verified or not; at most 254 characters. */
export const readEmail = (claims: Claims): string => textOf(claims.email).slice(0, 254);

/** Entra ID says `xms_edov` where others say `email_verified`. Some providers send texts or numbers. */
function isVerified({ email_verified: standard, xms_edov: entra }: Claims): boolean {
  const yes: unknown[] = [true, 'true', 1, '1'];
  return yes.includes(standard) || yes.includes(entra);
}

/** Returns a claim as text of one line; a claim with several values counts by its first. */
function textOf(claim: unknown): string {
  const value: unknown = Array.isArray(claim) ? claim[0] : claim;
  return typeof value === 'string' ? replaceControls(value, ' ').trim().toWellFormed() : '';
}
