/** Why a single sign-on led back to the sign-in screen without a code, as its address says it (`?sso=`). */
export const ssoFailures = ['unavailable', 'cancelled', 'expired', 'unverified', 'refused'] as const;

export type SsoFailure = (typeof ssoFailures)[number];
