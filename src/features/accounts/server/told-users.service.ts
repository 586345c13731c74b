/** SQL condition: the user `u` is told to the callers of `:scope`. Users of a company are not told about superadmins. */
export const isToldUser = "(:scope::text IS NULL OR u.role <> 'superadmin')";
