import { Failure, hideSecret } from '../failures.mjs';

/** Returns the token of a sign-in, and keeps it out of all lines. @throws Failure without a token */
export function readToken(inventory, token) {
  if (typeof token !== 'string' || token === '') throw new Failure(`${inventory}: the answer has no token`);
  hideSecret(token);
  return token;
}
