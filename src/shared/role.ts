export const roles = ['superadmin', 'company-admin', 'user'] as const;

/** The rights of a user: all; managing people of the own company; neither. */
export type Role = (typeof roles)[number];
