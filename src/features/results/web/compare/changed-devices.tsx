import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useFieldColumns } from '#features/devices/web/fields/field-columns.view.tsx';
import { useFields } from '#features/devices/web/fields/fields.api.ts';
import { FieldsNotRead } from '#features/devices/web/fields/fields-not-read.view.tsx';
import { useCheckAgain } from '#features/imports/web/use-check-again.view.ts';
import { changeColumns, KindChips } from '#features/rechecks/web/change-table.view.tsx';
import type {
  downloadTicketChanges,
  listTicketChanges,
  TicketChange,
  TicketChangeKind,
} from '#features/results/results.contract.ts';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { ownValues } from '#features/tickets/web/changes.view.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { asSize, pageSizes } from '#web/address/search-params.ts';
import { fileOf } from '#web/client/download.ts';
import { readPage } from '#web/client/read.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { SaveButtons } from '#web/ui/action/save-buttons.tsx';
import { Serial } from '#web/ui/action/serial.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import { numberColumn, serialColumn } from '#web/ui/table/serial-columns.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import { type CompareView, kinds } from './compare-address.ts';

type Props = { older: Ticket; newer: Ticket } & CompareView;

/** The devices whose answers differ between two tickets, with their download. */
export function ChangedDevices({ older, newer, state: { kind, page, size }, onChange }: Props) {
  const [before, after] = [older.ticket_number, newer.ticket_number];
  const query = { ticket_number: after, with: before, kind };
  const read = useQuery({
    ...readPage<typeof listTicketChanges>([...ticketsKey, 'changes', before, after], 'GET /tickets/changes', {
      query: { ...query, page, limit: size },
    }),
    meta: ownValues,
  });
  const checkAgain = useCheckAgain();
  const company = older.company_code === newer.company_code ? newer.company_code : null;
  const columns = useFieldColumns(
    useMemo(() => columnsOf(before, after), [before, after]),
    useFields(company),
  );
  const { data } = read;
  return (
    <ListPanel
      title={m.data_compare_changes()}
      name="compare"
      read={read}
      columns={columns}
      empty={describeEmpty(older, newer, kind)}
      actions={{ checkAgain }}
      selectionKey={`${before} ${after}`}
      toolbar={
        <SaveButtons
          texts={{ saved: m.rechecks_downloaded(), failed: m.rechecks_download_failed() }}
          disabled={!data?.pagination.totalItems}
          fileOf={(format) =>
            fileOf<typeof downloadTicketChanges>('GET /tickets/changes/download', {
              query: { ...query, format },
            })
          }
        />
      }
      bar={
        <div className={layout.stack}>
          <div className={layout.row}>
            <KindChips
              kinds={kinds}
              counts={data?.counts}
              kind={kind}
              onChange={(next) => onChange({ kind: next, page: 1 })}
            />
          </div>
          {[older, newer].some(isRunning) && <p className={typography.dim}>{m.rechecks_going_on()}</p>}
          <FieldsNotRead companyCode={company} />
        </div>
      }
      sizes={pageSizes}
      limit={size}
      onPage={(change, options) => onChange(asSize(change), options)}
      rangeOfOnePage={false}
    />
  );
}

function describeEmpty(older: Ticket, newer: Ticket, kind: TicketChangeKind | '') {
  const deleted = [older, newer].find((ticket) => ticket.coverage_deleted);
  if (deleted) return <EmptyState title={m.data_compare_deleted({ number: deleted.ticket_number })} />;
  const hint = kind === '' ? m.data_compare_no_changes_hint() : undefined;
  return <EmptyState title={m.rechecks_no_changes()} hint={hint} />;
}

/** Serials link to their rows: in the newer ticket, or in the older one that alone has them. */
function columnsOf(older: string, newer: string): Column<TicketChange>[] {
  return [
    numberColumn,
    {
      ...serialColumn,
      cell: ({ kind, serial_number: serial }) => (
        <Link to={paths.resultsOf(kind === 'removed' ? older : newer, `q=${encodeURIComponent(serial)}`)}>
          <Serial value={serial} />
        </Link>
      ),
    },
    ...changeColumns(kinds),
  ];
}
