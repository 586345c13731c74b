import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { translateReason } from '#features/imports/failure-texts.shared.ts';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/client/failure.ts';
import { useUser } from '#web/client/session.ts';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { countsQuery, listReasons, useResultsDownload } from '../results.api.ts';
import { addressOfFailed } from '../row-addresses.view.ts';
import styles from './failures.module.css';
import { RetryFailed } from './retry-failed.view.tsx';

type Props = { progress: Pick<Progress, 'ticket_number' | 'status' | 'done' | 'failed'> };

/** "810 failed: Not found 775 · Source unavailable 35". Each reason links to its rows; failed rows can be retried. */
export function Failures({ progress: { ticket_number: number, done, failed } }: Props) {
  const { superadmin } = useUser();
  const { data, error } = useQuery({ ...countsQuery(number, done + failed), enabled: failed > 0 });
  // Results that were deleted are in no list and no file.
  if (failed === 0 || data?.ticket?.coverage_deleted) return null;
  const reasons = listReasons(data?.counts);
  // The counts are read a moment later than the progress: the sum and its parts are of one read.
  const total = reasons.length > 0 ? reasons.reduce((sum, [, count]) => sum + count, 0) : failed;
  return (
    <section className={styles.failures} aria-label={m.tickets_failures()}>
      <p>
        {m.tickets_failed_rows({ number: formatNumber(total) })}
        {reasons.map(([reason, count], index) => (
          <span key={reason}>
            {index === 0 ? ': ' : ' · '}
            <Link to={addressOfFailed(superadmin, number, reason)}>
              {`${translateReason(reason)} ${formatNumber(count)}`}
            </Link>
          </span>
        ))}
      </p>
      {error !== null && <p role="alert">{describeFailure(error, m.common_fetch_failed())}</p>}
      <div className={layout.row}>
        <Link to={addressOfFailed(superadmin, number)}>{m.tickets_failures_show()}</Link>
        <DownloadFailed ticketNumber={number} />
        <RetryFailed progress={{ ticket_number: number, done, failed }} />
      </div>
    </section>
  );
}

function DownloadFailed({ ticketNumber }: { ticketNumber: string }) {
  const { running, saveResults } = useResultsDownload();
  const isBusy = running !== null;
  const start = () => saveResults(ticketNumber, 'excel', { status: 'failed' });
  return (
    <Button size="compact-sm" variant="default" disabled={isBusy} aria-busy={isBusy} onClick={start}>
      {m.tickets_failures_download()}
    </Button>
  );
}
