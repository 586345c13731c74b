/**
 * Makes the SQL that counts a change of the register for some companies, so that open screens notice it.
 * @param companies a query of each code and 1
 */
export const countChange = (companies: string) =>
  `INSERT INTO device_deletions AS d (company_code, registrations) ${companies}
       ON CONFLICT (company_code) DO UPDATE SET registrations = d.registrations + 1`;
