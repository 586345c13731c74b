import type { Config } from '#server/runtime/config.ts';
import type { Role } from '#shared/role.ts';

/** Returns whether a role must have a second factor that the user has not set up (docs/rules.md, Accounts). */
export function isSecondFactorDue(config: Config, role: Role, hasSecondFactor: boolean): boolean {
  return !hasSecondFactor && config.SECOND_FACTOR_ROLES.includes(role);
}
