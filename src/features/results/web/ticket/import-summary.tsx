import { useQuery } from '@tanstack/react-query';
import { ImportReportButton } from '#features/imports/web/import-report-button.view.tsx';
import { importSummaryQuery } from '#features/imports/web/imports.api.ts';
import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/client/failure.ts';
import { formatNumber } from '#web/format/format.ts';
import './import-summary.css';

/** What the sheet of a ticket brought, with the list of what was left out or cannot be looked up. */
export function ImportSummary({ ticketNumber }: { ticketNumber: string }) {
  const { data: summary, error } = useQuery(importSummaryQuery(ticketNumber));
  if (summary === undefined) {
    return (
      <p className="import-summary" role={error === null ? undefined : 'alert'}>
        {error !== null && describeFailure(error, m.common_fetch_failed())}
      </p>
    );
  }
  const { valid_count: valid, invalid_count: invalid, duplicate_count: duplicates } = summary;
  const parts = [
    m.data_import_valid({ number: formatNumber(valid) }),
    m.data_import_not_valid({ number: formatNumber(invalid) }),
    m.data_import_duplicates({ count: duplicates, number: formatNumber(duplicates) }),
  ];
  return (
    <section className="import-summary" aria-label={m.data_import()}>
      {summary.file_name !== null && <span className="import-summary-file">{summary.file_name}</span>}
      <span>{parts.join(' · ')}</span>
      {invalid + duplicates > 0 && <ImportReportButton ticketNumber={ticketNumber} size="compact-sm" />}
      {summary.header_skipped && <span className="dim">{m.data_import_header()}</span>}
    </section>
  );
}

/** The summary's room while its ticket is on the way: nearly every ticket has a sheet. */
export function ImportSummarySkeleton() {
  return <div className="import-summary" />;
}
