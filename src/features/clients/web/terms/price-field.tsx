import type { ReactNode } from 'react';
import { maxPrice, pricePattern } from '#features/clients/terms.shared.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { getLanguage } from '#web/preferences/language.ts';
import { CheckedField } from '#web/ui/field/checked-field.tsx';

/** Writes a price in dollars as it is typed: with the decimal sign of the language. */
export const typePrice = (price: number | null) =>
  price === null ? '' : String(price).replace('.', getLanguage() === 'id' ? ',' : '.');

/** Returns a typed price with a point. In English a comma could be of thousands. */
const withPoint = (typed: string) => (getLanguage() === 'id' ? typed.trim().replace(',', '.') : typed.trim());

/** Parses a typed price in dollars, such as `0.05`; null for none. */
export const parsePrice = (typed: string) => (typed.trim() === '' ? null : Number(withPoint(typed)));

type Props = {
  value?: string;
  /** Why the server refused the price. */
  error?: ReactNode;
  'data-path'?: string;
  onChange: (typed: string) => void;
};

/** Returns the fault of a price with a point, or null. */
function findProblem(price: string): string | null {
  if (price === '') return null;
  if (!pricePattern.test(price) || Number(price) === 0) return m.clients_terms_price_wrong();
  return Number(price) > maxPrice ? m.common_number_too_large({ maximum: formatNumber(maxPrice) }) : null;
}

/** A price in dollars, or none. */
export function PriceField({ value = '', onChange, ...field }: Props) {
  return (
    <CheckedField
      inputMode="decimal"
      label={m.tickets_price_per_data()}
      description={m.clients_terms_price_hint()}
      problem={findProblem(withPoint(value))}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      {...field}
    />
  );
}
