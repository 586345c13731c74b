export const roles = ['superadmin', 'company-admin', 'user'] as const;

/** The roles of users: all rights; managing the users of their company; neither. */
export type Role = (typeof roles)[number];
