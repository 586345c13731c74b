import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useFieldColumns } from '#features/devices/web/fields/field-columns.view.tsx';
import { useFields } from '#features/devices/web/fields/fields.api.ts';
import { FieldsNotRead } from '#features/devices/web/fields/fields-not-read.view.tsx';
import { useCheckAgain } from '#features/imports/web/use-check-again.view.ts';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import { nameNumbered } from '#features/tickets/web/name-ticket.view.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import {
  asSize,
  oneOf,
  pageSize,
  pageSizes,
  text,
  useUrlState,
  wholeNumber,
} from '#web/address/search-params.ts';
import { fileOf } from '#web/client/download.ts';
import { readPage } from '#web/client/read.ts';
import { useFirst } from '#web/client/use-first.ts';
import { formatInstant } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { SaveButtons } from '#web/ui/action/save-buttons.tsx';
import { Serial } from '#web/ui/action/serial.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import { numberColumn, serialColumn } from '#web/ui/table/serial-columns.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import type {
  ChangeKind,
  downloadRecheckChanges,
  listRecheckChanges,
  RecheckChange,
  RecheckRun,
} from '../rechecks.contract.ts';
import { asTicket } from './as-ticket.ts';
import { changeColumns, KindChips, kindBadges } from './change-table.view.tsx';

const changesColumns: readonly Column<RecheckChange>[] = [
  numberColumn,
  {
    ...serialColumn,
    cell: ({ _id, serial_number: serial }) => (
      <Link to={paths.deviceOf(_id, serial)}>
        <Serial value={serial} />
      </Link>
    ),
  },
  ...changeColumns(kindBadges),
];

const address = {
  /** The number of a ticket; empty for that of the run that was the latest when the screen opened. */
  ticket: text(),
  kind: oneOf(['', ...(Object.keys(kindBadges) as ChangeKind[])], ''),
  page: wholeNumber(1),
  size: pageSize,
};

export function ChangesReport({ companyCode, runs }: { companyCode: string; runs: RecheckRun[] }) {
  const [{ ticket: named, kind, page, size }, setState] = useUrlState(address);
  const tickets = runs.flatMap(({ ticket_number: number, ...run }) =>
    number === null ? [] : [{ number, ...run }],
  );
  const latest = tickets[0]?.number;
  // The report stays on screen when a newer run has made its ticket.
  const opened = useFirst(latest);
  // The address may have a ticket of another company, and a ticket may be deleted.
  const ticket = [named, opened].find((one) => tickets.some(({ number }) => number === one)) ?? latest ?? '';
  const params = { company_code: companyCode };
  const choice = { ticket_number: ticket, kind };
  const read = useQuery({
    // They are found in the register. Those of another ticket are never shown in their place.
    ...readPage<typeof listRecheckChanges>(
      ['devices', 'changes', ticket],
      'GET /rechecks/{company_code}/changes',
      { params, query: { ...choice, page, limit: size } },
    ),
    enabled: companyCode !== '',
  });
  const { data } = read;
  const columns = useFieldColumns(changesColumns, useFields(companyCode));
  const checkAgain = useCheckAgain();
  const found = data?.pagination.totalItems ?? 0;
  const run = tickets.find(({ number }) => number === ticket);
  const isGoingOn = run?.status != null && isRunning({ status: run.status });

  return (
    <ListPanel
      title={m.rechecks_changes()}
      name="rechecks"
      read={read}
      columns={columns}
      actions={{ checkAgain }}
      selectionKey={`${companyCode} ${ticket}`}
      toolbar={
        <SaveButtons
          texts={{ saved: m.rechecks_downloaded(), failed: m.rechecks_download_failed() }}
          disabled={found === 0}
          fileOf={(format) =>
            fileOf<typeof downloadRecheckChanges>('GET /rechecks/{company_code}/changes/download', {
              params,
              query: { ...choice, format },
            })
          }
        />
      }
      bar={
        tickets.length > 0 && (
          <div className={layout.stack}>
            <div className={layout.row}>
              <NativeSelect
                label={m.rechecks_report_of()}
                value={ticket}
                data={tickets.map(({ number, at }) => ({
                  value: number,
                  label: `${nameNumbered(asTicket(number, at))}, ${formatInstant(at)}`,
                }))}
                onChange={({ target }) => setState({ ticket: target.value, page: 1 })}
              />
            </div>
            <div className={layout.row}>
              <KindChips
                kinds={kindBadges}
                counts={data?.counts}
                kind={kind}
                onChange={(next) => setState({ kind: next, page: 1 })}
              />
            </div>
            {isGoingOn && <p className={typography.dim}>{m.rechecks_going_on()}</p>}
            <FieldsNotRead companyCode={companyCode} />
          </div>
        )
      }
      empty={
        data?.ticket_number === null ? (
          <EmptyState title={m.rechecks_no_report()} hint={m.rechecks_no_report_hint()} />
        ) : (
          <EmptyState
            title={m.rechecks_no_changes()}
            hint={kind === '' ? m.rechecks_no_changes_hint() : undefined}
          />
        )
      }
      sizes={pageSizes}
      limit={size}
      onPage={(change, options) => setState(asSize(change), options)}
    />
  );
}
