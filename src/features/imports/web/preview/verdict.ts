import type { SheetPreview } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatDuration, formatNumber, formatRupiah } from '#web/format/format.ts';
import type { Price } from '../form/order-field.tsx';
import { countYounger, type expectImport } from './expect-import.ts';

type ExpectedImport = ReturnType<typeof expectImport>;

/**
 * Describes an import before it is sent, in parts: "115 to check", "4 to fix", "1 duplicate", "Rp 92.000", "about 1 second".
 * @param price undefined while it is read, null if it cannot be
 */
export function describeVerdict(
  preview: SheetPreview,
  { valid, invalid, fresh, seconds }: ExpectedImport,
  price: Price | null | undefined,
): string[] {
  const { duplicate_count: duplicates } = preview;
  return [
    m.preview_to_check({ number: formatNumber(valid - fresh) }),
    fresh > 0 && m.data_import_known({ number: formatNumber(fresh) }),
    invalid > 0 && m.preview_to_fix({ number: formatNumber(invalid) }),
    duplicates > 0 && m.data_import_duplicates({ count: duplicates, number: formatNumber(duplicates) }),
    describePrice(price),
    seconds === null ? m.preview_time_unknown() : seconds > 0 && formatDuration(seconds),
  ].filter((part) => part !== false);
}

function describePrice(price: Price | null | undefined): string {
  if (price === undefined) return m.common_loading();
  return price === null ? m.preview_price_unknown() : formatRupiah(price.discounted);
}

/** Describes the size and the price of an upload: "115 devices for Rp 92.000". */
export function describeMeaning(valid: number, price: number): string {
  return m.preview_meaning({ count: valid, number: formatNumber(valid), price: formatRupiah(price) });
}

const knownDays = [1, 7, 30];

/** Describes how many serials the register has, and since when: "800 are already in the register · 300 checked within 7 days". */
export function describeKnownSerials(preview: SheetPreview): string {
  const ages = knownDays
    .map((days) => ({ days, count: countYounger(preview, days) }))
    .filter(({ count }, at, all) => count > (all[at - 1]?.count ?? 0))
    .map(({ days, count }) => m.preview_known_within({ days, number: formatNumber(count) }));
  const { known_count: count } = preview;
  return [m.preview_known({ count, number: formatNumber(count) }), ...ages].join(' · ');
}
