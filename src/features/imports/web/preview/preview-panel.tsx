import { useRef } from 'react';
import { BudgetExcess } from '#features/clients/web/budgets/budget-notice.view.tsx';
import type { SheetPreview } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatDuration, formatNumber, formatRupiah } from '#web/format/format.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { RetryButton } from '#web/ui/feedback/error-state.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import type { Price } from '../form/order-field.tsx';
import { describeSheet } from '../report/describe-import.ts';
import { RefusedCells } from '../report/refused-cells.tsx';
import type { SheetChoice } from '../upload-attempt.ts';
import type { Corrections } from './corrections.ts';
import { countYounger, expectImport, type ImportChoices } from './expect-import.ts';
import { InvalidCells } from './invalid-cells.tsx';
import { PreviewHints, SheetFields } from './preview-hints.tsx';
import { SeenNotice } from './seen-notice.tsx';
import type { Preview } from './use-sheet-preview.ts';
import './preview-panel.css';

type Props = {
  preview: Preview;
  choice: SheetChoice;
  onChoose: (choice: SheetChoice) => void;
  typed: Corrections;
  onType: (typed: Corrections) => void;
  choices: ImportChoices;
  onReuse: (days: number) => void;
  /** The price of so many billed rows; undefined while it is read. */
  priceOf: (preview: SheetPreview, billed: number) => Price | undefined;
};

export function PreviewPanel({ preview, choice, onChoose, typed, onType, choices, onReuse, priceOf }: Props) {
  const { data } = preview;
  const expected = data && expectImport(data, choices);
  const price = data && expected && priceOf(data, expected.billed);
  const content = useRef<HTMLDivElement>(null);
  // The pressed button disappears with the hint, so the focus moves to the field that changes.
  const take = (field: keyof SheetChoice, suggested: SheetChoice) => {
    content.current?.querySelector<HTMLSelectElement>(`select[name=${field}]`)?.focus();
    onChoose(suggested);
  };
  return (
    <Panel title={m.preview_title()}>
      <div ref={content} className="stack sheet-preview" aria-busy={preview.isReading}>
        <p className="sr-only" aria-live="polite">
          {data &&
            expected &&
            !preview.isReading &&
            describeSheet({ ...data, valid_count: expected.valid, invalid_count: expected.invalid })}
        </p>
        {preview.read.isError && !preview.isReading && <Failure preview={preview} />}
        {preview.isReading && <p className="dim">{m.preview_reading()}</p>}
        {data && expected && (
          <>
            <SheetFields preview={data} onChoose={onChoose} />
            <PreviewHints preview={data} replaced={preview.replaced} choice={choice} onTake={take} />
            {data.seen && (
              <SeenNotice
                key={data.seen.ticket_number}
                preview={data}
                seen={data.seen}
                choices={choices}
                onReuse={onReuse}
              />
            )}
            <PreviewFacts preview={data} expected={expected} price={price?.discounted} />
            {price && <BudgetExcess price={price.full} />}
            <InvalidCells preview={data} typed={typed} onType={onType} />
          </>
        )}
      </div>
    </Panel>
  );
}

function Failure({ preview: { read, refusal } }: { preview: Preview }) {
  if (refusal !== null)
    return (
      <Banner tone="error">
        {refusal.message}
        <RefusedCells cells={refusal.details} />
      </Banner>
    );
  return (
    <Banner tone="warning" action={<RetryButton size="compact-sm" onRetry={() => void read.refetch()} />}>
      {m.preview_failed()}
    </Banner>
  );
}

type FactsProps = {
  preview: SheetPreview;
  expected: ReturnType<typeof expectImport>;
  price: number | undefined;
};

const knownDays = [1, 7, 30];

function PreviewFacts({ preview, expected, price }: FactsProps) {
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
