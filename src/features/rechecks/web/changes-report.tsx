import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { describeChanges } from '#features/devices/web/describe-changes.view.ts';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { oneOf, pageSize, pageSizes, text, useUrlState, whole } from '#web/address/search-params.ts';
import { download } from '#web/client/download.ts';
import { readPage } from '#web/client/read.ts';
import { formatInstant } from '#web/format/format.ts';
import { SaveButtons } from '#web/ui/action/save-buttons.tsx';
import { Serial } from '#web/ui/action/serial.tsx';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { Chip, Chips } from '#web/ui/field/chip.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { ListTable } from '#web/ui/table/list-table.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import { TableFooter } from '#web/ui/table/table-footer.tsx';
import type {
  ChangeKind,
  downloadRecheckChanges,
  listRecheckChanges,
  RecheckChange,
  RecheckRun,
} from '../rechecks.contract.ts';
import './changes-report.css';

const kinds = {
  activated: { name: m.server_change_activated, tone: 'green', mark: 'check' },
  extended: { name: m.server_change_extended, tone: 'green', mark: 'check' },
  ended: { name: m.server_change_ended, tone: 'red', mark: 'cross' },
  not_found: { name: m.server_change_not_found, tone: 'yellow', mark: 'minus' },
  other: { name: m.server_change_other, tone: 'grey', mark: 'minus' },
} as const satisfies Record<ChangeKind, { name: () => string; tone: string; mark: string }>;

const columns: readonly Column<RecheckChange>[] = [
  { key: 'no', card: 'box', header: m.data_no, kind: 'number', cell: (_, index) => index + 1 },
  {
    key: 'serial',
    card: 'title',
    header: m.data_serial_number,
    kind: 'serial',
    pinned: true,
    copy: (change) => change.serial_number,
    cell: ({ _id, serial_number: serial }) => (
      <Link to={paths.deviceOf(_id, serial)}>
        <Serial value={serial} />
      </Link>
    ),
  },
  {
    key: 'kind',
    card: 'state',
    header: m.server_change_kind,
    kind: 'state',
    cell: ({ kind }) => {
      const { name, tone, mark } = kinds[kind];
      return (
        <StatusBadge tone={tone} mark={mark} title={name()}>
          {name()}
        </StatusBadge>
      );
    },
  },
  {
    key: 'changes',
    card: 'text',
    header: m.rechecks_changes_column,
    kind: 'text',
    width: 320,
    cell: ({ changes }) => describeChanges(changes).join('; ') || '–',
  },
];

const address = {
  /** The number of a ticket; empty for that of the latest run. */
  ticket: text(),
  kind: oneOf(['', 'activated', 'extended', 'ended', 'not_found', 'other'], ''),
  page: whole(1),
  size: pageSize,
};

export function ChangesReport({ companyCode, runs }: { companyCode: string; runs: RecheckRun[] }) {
  const [{ ticket: asked, kind, page, size }, setState] = useUrlState(address);
  const tickets = runs.flatMap(({ ticket_number: number, ...run }) =>
    number === null ? [] : [{ number, ...run }],
  );
  // The address may have a ticket of another company.
  const ticket = tickets.some(({ number }) => number === asked) ? asked : '';
  const params = { company_code: companyCode };
  const shown = { ticket_number: ticket, kind };
  const read = useQuery({
    // They are found in the register.
    ...readPage<typeof listRecheckChanges>(['devices', 'changes'], 'GET /rechecks/{company_code}/changes', {
      params,
      query: { ...shown, page, limit: size },
    }),
    enabled: companyCode !== '',
  });
  const { data } = read;
  const found = data?.pagination.totalItems ?? 0;
  const chosen = data?.ticket_number ?? ticket;
  const run = tickets.find(({ number }) => number === chosen);
  const isGoingOn = run?.status != null && isRunning({ status: run.status });
  const total = data && Object.values(data.counts).reduce((sum, count) => sum + count, 0);

  return (
    <div className="changes-report">
      <Panel
        title={m.rechecks_changes()}
        flush
        toolbar={
          <SaveButtons
            texts={{ saved: m.rechecks_downloaded(), failed: m.rechecks_download_failed() }}
            disabled={found === 0}
            save={(format, options) =>
              download<typeof downloadRecheckChanges>(
                'GET /rechecks/{company_code}/changes/download',
                { params, query: { ...shown, format } },
                options,
              )
            }
          />
        }
        bar={
          tickets.length > 0 && (
            <div className="stack">
              <div className="row">
                <NativeSelect
                  label={m.rechecks_report_of()}
                  value={chosen}
                  data={tickets.map(({ number, at }) => ({
                    value: number,
                    label: m.rechecks_ticket_at({ number, at: formatInstant(at) }),
                  }))}
                  onChange={({ target }) => setState({ ticket: target.value, page: 1 })}
                />
              </div>
              <div className="row">
                <Chips label={m.rechecks_show_changes()}>
                  <Chip
                    label={m.rechecks_all_changes()}
                    count={total}
                    pressed={kind === ''}
                    onPress={() => setState({ kind: '', page: 1 })}
                  />
                  {(Object.keys(kinds) as ChangeKind[]).map((one) => (
                    <Chip
                      key={one}
                      label={kinds[one].name()}
                      count={data?.counts[one]}
                      pressed={kind === one}
                      onPress={(press) => setState({ kind: press ? one : '', page: 1 })}
                    />
                  ))}
                </Chips>
              </div>
              {isGoingOn && <p className="dim">{m.rechecks_going_on()}</p>}
            </div>
          )
        }
        footer={
          <TableFooter
            pagination={data?.pagination}
            sizes={pageSizes}
            size={size}
            alwaysRange
            onSize={(next) => setState({ size: next, page: 1 })}
            onPage={(next, options) => setState({ page: next }, options)}
          />
        }
      >
        <ListTable
          read={read}
          empty={
            data?.ticket_number === null ? (
              <EmptyState title={m.rechecks_no_report()} hint={m.rechecks_no_report_hint()} />
            ) : (
              <EmptyState title={m.rechecks_no_changes()} hint={m.rechecks_no_changes_hint()} />
            )
          }
          label={m.rechecks_changes()}
          name="rechecks"
          columns={columns}
          pagination={data?.pagination}
        />
      </Panel>
    </div>
  );
}
