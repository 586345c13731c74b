import { Fragment, useRef } from 'react';
import { BudgetExcess } from '#features/clients/web/budgets/budget-notice.view.tsx';
import { FieldMapping } from '#features/devices/web/fields/field-mapping.view.tsx';
import type { SheetPreview } from '#features/imports/imports.contract.ts';
import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/client/failure.ts';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { RetryButton } from '#web/ui/feedback/error-state.tsx';
import type { Price } from '../form/order-field.tsx';
import { RefusedCells } from '../report/refused-cells.tsx';
import type { SheetChoice, UploadInput } from '../upload-attempt.ts';
import type { TypedCells } from './corrections.ts';
import { expectImport, type ImportChoices } from './expect-import.ts';
import { InvalidCells } from './invalid-cells.tsx';
import { NewerImport } from './newer-import.tsx';
import { PreviewHints, SheetFields } from './preview-hints.tsx';
import styles from './preview-panel.module.css';
import { SeenNotice } from './seen-notice.tsx';
import type { Preview } from './use-sheet-preview.ts';
import { describeKnownSerials, describeVerdict } from './verdict.ts';

type Props = {
  preview: Preview;
  choice: SheetChoice;
  onChoose: (choice: SheetChoice) => void;
  typed: TypedCells;
  onType: (typed: TypedCells) => void;
  onMap: (fields: NonNullable<UploadInput['fields']>) => void;
  choices: ImportChoices;
  onReuse: (days: number | null) => void;
  /** The price of so many billed rows; undefined while it is read, null if it cannot be. */
  priceOf: (preview: SheetPreview, billed: number) => Price | null | undefined;
  /** The order that the upload fills; undefined for a new ticket. */
  order: Ticket | undefined;
};

/** The effect of an upload, before it is sent: counts, price and time in one line, then warnings and invalid cells. */
export function PreviewPanel(props: Props) {
  const { preview, choice, onChoose, typed, onType, onMap, choices, onReuse, priceOf, order } = props;
  const { data } = preview;
  const expected = data && expectImport(data, choices);
  const price = data && expected && priceOf(data, expected.billed);
  const content = useRef<HTMLElement>(null);
  // The pressed button disappears with the hint, so the focus moves to the field that changes.
  const take = (field: keyof SheetChoice, suggested: SheetChoice) => {
    content.current?.querySelector<HTMLSelectElement>(`select[name=${field}]`)?.focus();
    onChoose(suggested);
  };
  return (
    <section
      ref={content}
      className={`${layout.tightStack} ${styles.sheetPreview}`}
      aria-label={m.preview_title()}
      aria-busy={preview.isReading}
    >
      <p className={`${styles.verdict} ${typography.tabular}`} aria-live="polite">
        {preview.isReading
          ? describeReading(preview)
          : data &&
            expected &&
            describeVerdict(data, expected, price).map((part, at) => (
              <Fragment key={part}>
                {at > 0 && ' · '}
                <span className={styles.verdictPart}>{part}</span>
              </Fragment>
            ))}
      </p>
      {preview.read.isError && !preview.isReading && <Failure preview={preview} />}
      {data && expected && (
        <>
          <NewerImport key={preview.read.dataUpdatedAt} onReadAgain={() => void preview.read.refetch()} />
          <SheetFields preview={data} onChoose={onChoose} />
          <PreviewHints preview={data} replaced={preview.replaced} choice={choice} onTake={take} />
          <FieldMapping columns={mappable(data)} mapping={preview.fields ?? data.fields} onMap={onMap} />
          {data.seen && (
            <SeenNotice
              key={data.seen.ticket_number}
              preview={data}
              seen={data.seen}
              choices={choices}
              onReuse={onReuse}
            />
          )}
          {price && <BudgetExcess price={price.full} exceeded={data.exceeds_budget} />}
          {order && <OrderSize order={order} rows={expected.valid + expected.invalid} />}
          {data.known_count > 0 && <p className={typography.dim}>{describeKnownSerials(data)}</p>}
          {data.header_skipped && <p className={typography.dim}>{m.data_import_header()}</p>}
          <InvalidCells
            preview={data}
            typed={typed}
            onType={onType}
            readOnly={preview.settled === undefined}
          />
        </>
      )}
    </section>
  );
}

const describeReading = ({ isLate }: Preview) => (isLate ? m.preview_late() : m.preview_reading());

/** Lists the columns that may fill an own column. Only the header row has heads. */
const mappable = ({ columns, column: serials, heads, fields }: SheetPreview) => {
  // Heads and remembered columns may be beyond the first columns.
  const letters = new Set([
    ...columns.map(({ column }) => column),
    ...Object.keys(heads),
    ...Object.keys(fields),
  ]);
  letters.delete(serials);
  return [...letters].map((column) => ({ column, head: heads[column] ?? '' }));
};

/** Warns that an order was made for another number of rows. */
function OrderSize({ order, rows }: { order: Ticket; rows: number }) {
  const { ticket_number: ticket, data_count: expected } = order;
  if (rows === expected) return null;
  return (
    <Banner tone="warning">
      {m.preview_order_size({
        ticket,
        count: expected,
        expected: formatNumber(expected),
        rows: formatNumber(rows),
      })}
    </Banner>
  );
}

function Failure({ preview: { read, refusal } }: { preview: Preview }) {
  const retry = <RetryButton size="compact-sm" onRetry={() => void read.refetch()} />;
  if (refusal !== null)
    return (
      <Banner tone="error" action={refusal.status === 403 && retry}>
        {describeFailure(refusal, m.common_fetch_failed())}
        <RefusedCells cells={refusal.details} />
      </Banner>
    );
  return (
    <Banner tone="warning" action={retry}>
      {m.preview_failed()}
    </Banner>
  );
}
