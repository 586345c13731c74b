import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { Expiry } from '#features/devices/web/coverage/expiry.view.tsx';
import type { OwnField } from '#features/devices/web/fields/fields.api.ts';
import { translateDetails, translateReason } from '#features/imports/failure-texts.shared.ts';
import type { ResultRow } from '#features/results/results.contract.ts';
import { ownValue } from '#shared/own-value.ts';
import { m } from '#shared/texts/messages.js';
import { useUser } from '#web/client/session.ts';
import { formatDay, formatInstant, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { CopyButton } from '#web/ui/action/copy-button.tsx';
import { Serial } from '#web/ui/action/serial.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { rowsBeside, SidePanel } from '#web/ui/overlay/side-panel.tsx';
import { resultsQuery } from '../results.api.ts';
import { ActivationBadge } from './coverage-columns.tsx';
import styles from './row-facts.module.css';

type Props = {
  ticketNumber: string;
  position: number;
  rows: readonly ResultRow[];
  /** The own columns of the company. */
  fields: readonly OwnField[];
  onOpen: (position: number) => void;
  onClose: () => void;
};

/** The row that is open: one of the page in sight, or any other of the ticket that an address names. */
export default function OpenRow({ ticketNumber, position, rows, fields, onOpen, onClose }: Props) {
  const here = rows.find((row) => row.position === position);
  const read = useQuery({
    ...resultsQuery({ ticket_number: ticketNumber, positions: String(position), limit: 1 }),
    enabled: here === undefined,
  });
  return (
    <SidePanel
      title={m.results_row({ position: formatNumber(position) })}
      {...rowsBeside(rows, here?._id, (row) => onOpen(row.position))}
      onClose={onClose}
    >
      {here ? (
        <RowFacts row={here} fields={fields} />
      ) : (
        <ReadState read={read}>
          {(answer) => {
            const [row] = answer?.data ?? [];
            if (row?.position === position) return <RowFacts row={row} fields={fields} />;
            return read.isFetching ? (
              <Skeleton height={320} />
            ) : (
              <p>{m.results_row_gone({ position: formatNumber(position) })}</p>
            );
          }}
        </ReadState>
      )}
    </SidePanel>
  );
}

function RowFacts({ row, fields }: { row: ResultRow } & Pick<Props, 'fields'>) {
  const { superadmin } = useUser();
  const advice = adviseOn(row, superadmin);
  const egress = { direct: m.results_egress_direct, proxies: m.results_egress_proxies };
  return (
    <>
      <div className={`${layout.spread} ${styles.rowFactsSerial}`}>
        <Serial value={row.serial_number} />
        <CopyButton
          text={row.serial_number}
          label={m.common_copy()}
          name={m.common_copy_one({ text: row.serial_number })}
        />
      </div>
      {advice !== null && (
        <div className={`${layout.tightStack} ${styles.rowFactsAdvice}`}>
          {row.reason !== null && <strong>{translateReason(row.reason)}</strong>}
          {row.details !== null && <p>{translateDetails(row.details)}</p>}
          <p>{advice}</p>
        </div>
      )}
      <Facts
        title={m.results_device()}
        facts={[
          [m.data_type(), row.type ?? '–'],
          [m.data_status(), <ActivationBadge key="status" row={row} />],
          [m.data_purchase_date(), formatDay(row.purchase_date)],
        ]}
      />
      <Facts
        title={m.results_coverage()}
        facts={[
          [m.data_warranty(), row.warranty_title ?? '–'],
          [m.data_coverage_start(), formatDay(row.coverage_start_date)],
          [m.data_coverage_end(), formatDay(row.coverage_end_date)],
          [m.data_expires_in(), <Expiry key="expires" text={row.coverage_expires} />],
        ]}
      />
      {fields.length > 0 && (
        <Facts
          title={m.devices_fields()}
          facts={fields.map(({ key, name }) => [name, ownValue(row.fields, key) ?? '–'])}
        />
      )}
      <Facts
        title={m.results_origin()}
        facts={[
          [m.results_source(), row.source ?? '–'],
          [m.data_fetched_at(), formatInstant(row.timestamp)],
          [m.results_attempts(), formatNumber(row.attempts)],
          [m.results_cached(), row.cached === null ? '–' : row.cached ? m.results_yes() : m.results_no()],
          [m.results_egress(), row.egress === null ? '–' : egress[row.egress]()],
        ]}
      />
      <Facts
        title={m.results_sheet()}
        facts={[
          [m.results_sheet_row(), formatNumber(row.sheet_row)],
          [
            m.results_original(),
            <q key="original" className={styles.original}>
              {row.original ?? row.serial_number}
            </q>,
          ],
        ]}
      />
    </>
  );
}

function Facts({ title, ...props }: { title: string } & ComponentProps<typeof FactList>) {
  return (
    <section>
      <h3>{title}</h3>
      <FactList {...props} />
    </section>
  );
}

/** Superadmins cannot upload, so they read what the company can do. */
function adviseOn({ state, reason }: ResultRow, superadmin: boolean): string | null {
  if (state === 'done') return null;
  if (state === 'pending') return m.results_advice_pending();
  if (reason === 'Source unavailable') return m.results_advice_unavailable();
  if (reason === 'Invalid serial number')
    return superadmin ? m.results_advice_invalid_company() : m.results_advice_invalid();
  if (reason === 'Not found')
    return superadmin ? m.results_advice_not_found_company() : m.results_advice_not_found();
  return superadmin ? m.results_advice_rejected_company() : m.results_advice_rejected();
}
