import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ImportSummary } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { importSummaryQuery } from '../imports.api.ts';
import { describeSheet } from './describe-import.ts';
import { ImportReportButton } from './import-report-button.view.tsx';

/** The import report of a ticket, with its duplicates and invalid cells, as long as the ticket exists. */
export function ImportReport({ ticketNumber }: { ticketNumber: string }) {
  const read = useQuery(importSummaryQuery(ticketNumber));
  return (
    <ReadState read={read} boxed>
      {(summary) =>
        summary === undefined ? (
          <PanelSkeleton height={240} />
        ) : (
          <Panel
            title={m.tickets_view_import()}
            toolbar={
              summary.invalid_count + summary.duplicate_count > 0 && (
                <ImportReportButton
                  ticketNumber={ticketNumber}
                  leftSection={<IconDownload size={16} aria-hidden="true" />}
                />
              )
            }
          >
            <Facts summary={summary} />
          </Panel>
        )
      }
    </ReadState>
  );
}

type Fact = [name: string, value: string];

function Facts({ summary }: { summary: ImportSummary }) {
  const { valid_count: valid, invalid_count: invalid, duplicate_count: duplicates } = summary;
  const knownCount = summary.known_count;
  const facts: Fact[] = [
    [m.data_import_file(), summary.file_name ?? '–'],
    [m.data_import_at(), formatInstant(summary.imported_at)],
    [m.data_import_imported(), formatNumber(summary.imported_count)],
    [m.data_import_valid_label(), formatNumber(valid)],
    ...(knownCount > 0 ? [[m.data_import_known_label(), formatNumber(knownCount)] satisfies Fact] : []),
    [m.data_import_invalid_label(), formatNumber(invalid)],
    [m.data_import_duplicates_label(), formatNumber(duplicates)],
  ];
  return (
    <div className={layout.tightStack}>
      <strong className={typography.tabular}>{describeSheet(summary)}</strong>
      <FactList facts={facts} />
      <p className={typography.dim}>
        {m.data_import_explained()} {summary.header_skipped && m.data_import_header()}
      </p>
    </div>
  );
}
