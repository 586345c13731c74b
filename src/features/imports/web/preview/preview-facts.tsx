import type { SheetPreview } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatDuration, formatNumber, formatRupiah } from '#web/format/format.ts';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { countYounger, type expectImport } from './expect-import.ts';

type Props = {
  preview: SheetPreview;
  expected: ReturnType<typeof expectImport>;
  price: number | undefined;
};

const knownDays = [1, 7, 30];

export function PreviewFacts({ preview, expected, price }: Props) {
  const { valid, invalid, fresh, seconds } = expected;
  const known = <Known preview={preview} fresh={fresh} />;
  return (
    <>
      <FactList
        facts={[
          [m.data_import_valid_label(), formatNumber(valid)],
          [m.data_import_invalid_label(), formatNumber(invalid)],
          [m.data_import_duplicates_label(), formatNumber(preview.duplicate_count)],
          [m.preview_known(), known],
          [m.preview_price(), price === undefined ? m.common_loading() : formatRupiah(price)],
          [m.preview_estimate(), describeTime(seconds)],
        ]}
      />
      {preview.header_skipped && <p className="dim">{m.data_import_header()}</p>}
    </>
  );
}

function describeTime(seconds: number | null): string {
  if (seconds === null) return m.preview_estimate_unknown();
  return seconds === 0 ? m.preview_estimate_none() : formatDuration(seconds);
}

function Known({ preview, fresh }: { preview: SheetPreview; fresh: number }) {
  return (
    <>
      {formatNumber(preview.known_count)}
      {fresh > 0 && <p>{m.preview_fresh({ number: formatNumber(fresh) })}</p>}
      {knownDays
        .map((days) => ({ days, count: countYounger(preview, days) }))
        .filter(({ count }) => count > 0)
        .map(({ days, count }) => (
          <p key={days} className="dim">
            {m.preview_known_within({ days, number: formatNumber(count) })}
          </p>
        ))}
    </>
  );
}
