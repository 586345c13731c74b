/**
 * The prefix of a company code: the first three letters or digits of the name, uppercased, padded with X. Accents go;
 * letters of other scripts do not count.
 */
export function prefixOf(companyName: string): string {
  const plain = companyName.normalize('NFKD').toUpperCase();
  return plain
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 3)
    .padEnd(3, 'X');
}

/** `ACM` and 1 make `ACM001`. */
export function formatCompanyCode(prefix: string, number: number): string {
  return `${prefix}${String(number).padStart(3, '0')}`;
}
