export const roles = ['superadmin', 'company-admin', 'user'] as const;

/** What a user may do: everything; manage people of the own company; neither. */
export type Role = (typeof roles)[number];
