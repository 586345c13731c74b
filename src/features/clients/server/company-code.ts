/**
 * Returns the prefix of a company code: the first three letters (A-Z, accents removed) or digits of the name, in upper
 * case, padded with X.
 */
export function prefixOf(companyName: string): string {
  const plain = companyName.normalize('NFKD').toUpperCase();
  return plain
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 3)
    .padEnd(3, 'X');
}

/** Returns a company code: `ACM001` from `ACM` and 1. */
export function formatCompanyCode(prefix: string, number: number): string {
  return `${prefix}${String(number).padStart(3, '0')}`;
}
