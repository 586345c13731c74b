import type { SheetPreview } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatDuration, formatNumber, formatRupiah } from '#web/format/format.ts';
import { FactList } from '#web/ui/layout/fact-list.tsx';

type Props = { preview: SheetPreview; price: number | undefined };

/** The counts of a preview, its price and the time that it may take. */
export function PreviewFacts({ preview, price }: Props) {
  const { estimate_seconds: seconds } = preview;
  const known = <Known preview={preview} />;
  return (
    <>
      <FactList
        facts={[
          [m.data_import_valid_label(), formatNumber(preview.valid_count)],
          [m.data_import_invalid_label(), formatNumber(preview.invalid_count)],
          [m.data_import_duplicates_label(), formatNumber(preview.duplicate_count)],
          [m.preview_known(), known],
          [m.preview_price(), price === undefined ? m.common_loading() : formatRupiah(price)],
          [m.preview_estimate(), seconds === null ? m.preview_estimate_unknown() : formatDuration(seconds)],
        ]}
      />
      {preview.header_skipped && <p className="dim">{m.data_import_header()}</p>}
    </>
  );
}

/** How many devices the register has, and how fresh they are. */
function Known({ preview: { known_count, known_within } }: { preview: SheetPreview }) {
  return (
    <>
      {formatNumber(known_count)}
      {known_within
        .filter(({ count }) => count > 0)
        .map(({ days, count }) => (
          <p key={days} className="dim">
            {m.preview_known_within({ days, number: formatNumber(count) })}
          </p>
        ))}
    </>
  );
}
