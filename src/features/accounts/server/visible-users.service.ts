/** SQL condition: callers of `:scope` may see the user `u`. Users of a company never see superadmins. */
export const isVisibleUser = "(:scope::text IS NULL OR u.role <> 'superadmin')";
