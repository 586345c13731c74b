/**
 * Makes the SQL that counts a change of the register for some companies, so that open screens notice it.
 * @param kind of results that were registered, or of own columns
 * @param companies a query of each code and 1
 */
export const countChange = (kind: 'registrations' | 'value_changes', companies: string) =>
  `INSERT INTO device_deletions AS d (company_code, ${kind}) ${companies}
       ON CONFLICT (company_code) DO UPDATE SET ${kind} = d.${kind} + 1`;
