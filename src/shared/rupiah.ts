/** Rupiah, always in the Indonesian form and rounded half up to whole rupiah: `Rp 1.234.567`. */
export function formatRupiah(amount: number): string {
  return `Rp ${Math.round(amount).toLocaleString('id-ID')}`;
}
