import { Button } from '@mantine/core';
import { useRef } from 'react';
import { BudgetExcess } from '#features/clients/web/budgets/budget-notice.view.tsx';
import type { SheetPreview } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import type { Price } from '../form/order-field.tsx';
import { describeSheet } from '../report/describe-import.ts';
import { RefusedCells } from '../report/refused-cells.tsx';
import type { SheetChoice } from '../upload-attempt.ts';
import type { Corrections } from './corrections.ts';
import { expectImport, type ImportChoices } from './expect-import.ts';
import { InvalidCells } from './invalid-cells.tsx';
import { PreviewFacts } from './preview-facts.tsx';
import { PreviewHints, SheetFields } from './preview-hints.tsx';
import type { Preview } from './use-sheet-preview.ts';
import './preview-panel.css';

type Props = {
  preview: Preview;
  choice: SheetChoice;
  onChoose: (choice: SheetChoice) => void;
  typed: Corrections;
  onType: (typed: Corrections) => void;
  choices: ImportChoices;
  /** The price of so many billed rows; undefined while it is read. */
  priceOf: (preview: SheetPreview, billed: number) => Price | undefined;
};

export function PreviewPanel({ preview, choice, onChoose, typed, onType, choices, priceOf }: Props) {
  const { data } = preview.read;
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
          {data && !preview.isReading && describeSheet(data)}
        </p>
        {preview.read.isError && !preview.isReading && <Failure preview={preview} />}
        {preview.isReading && <p className="dim">{m.preview_reading()}</p>}
        {data && expected && (
          <>
            <SheetFields preview={data} onChoose={onChoose} />
            <PreviewHints preview={data} choice={choice} onTake={take} />
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
    <Banner
      tone="warning"
      action={
        <Button size="compact-sm" variant="default" onClick={() => void read.refetch()}>
          {m.common_retry()}
        </Button>
      }
    >
      {m.preview_failed()}
    </Banner>
  );
}
