import { useQuery } from '@tanstack/react-query';
import { importSummaryQuery } from '#features/imports/web/imports.api.ts';
import { ImportReportButton } from '#features/imports/web/report/import-report-button.view.tsx';
import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/client/failure.ts';
import { formatNumber } from '#web/format/format.ts';

/**
 * The counts of a ticket's sheet, with the list of the cells that were left out or are not valid. It keeps its room while
 * it loads.
 */
export function ImportSummary({ ticketNumber }: { ticketNumber: string }) {
  const { data: summary, error } = useQuery({
    ...importSummaryQuery(ticketNumber),
    enabled: ticketNumber !== '',
  });
  if (summary === undefined) {
    return (
      <p className="import-summary" role={error === null ? undefined : 'alert'}>
        {error !== null && describeFailure(error, m.common_fetch_failed())}
      </p>
    );
  }
  const { valid_count: valid, invalid_count: invalid, duplicate_count: duplicates } = summary;
  const known = summary.known_count;
  const parts = [
    m.data_import_valid({ number: formatNumber(valid) }),
    ...(known > 0 ? [m.data_import_known({ number: formatNumber(known) })] : []),
    m.data_import_not_valid({ number: formatNumber(invalid) }),
    m.data_import_duplicates({ count: duplicates, number: formatNumber(duplicates) }),
  ];
  return (
    <section className="import-summary" aria-label={m.data_import()}>
      <span>{parts.join(' · ')}</span>
      {invalid + duplicates > 0 && <ImportReportButton ticketNumber={ticketNumber} size="compact-sm" />}
      {summary.header_skipped && <span className="dim">{m.data_import_header()}</span>}
    </section>
  );
}
