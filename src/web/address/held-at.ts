import type { SessionUser } from '#web/client/token.ts';
import { paths } from './paths.ts';

/** Returns the only screen of a user who must do something first: change the first password, set up a second factor. */
export function heldAt({ newUser, secondFactorDue }: SessionUser): string | null {
  if (newUser) return paths.changePassword;
  return secondFactorDue ? paths.secondFactor : null;
}
