import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { ticketStatuses } from '#features/tickets/ticket-status.shared.ts';
import type { findTickets, TicketMatch } from '#features/tickets/tickets.contract.ts';
import { maxSearchLength } from '#shared/search.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { oneOf, pageSize, pageSizes, text, useUrlState, wholeNumber } from '#web/address/search-params.ts';
import { readPage } from '#web/client/read.ts';
import layout from '#web/styles/layout.module.css';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { passFocusOn } from '#web/ui/overlay/move-focus.ts';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import CancelTicketDialog from '../list/cancel-ticket-dialog.tsx';
import { nameStatus } from '../ticket-badge.view.tsx';
import { ticketsKey } from '../tickets.api.ts';
import { uploadColumns } from './upload-columns.tsx';

const address = {
  q: text(maxSearchLength),
  status: oneOf(['', ...ticketStatuses], ''),
  kind: oneOf(['', 'upload', 'paste', 'order', 'recheck'], ''),
  page: wholeNumber(1),
  limit: pageSize,
};

type Props = {
  /** Draws the button that downloads a ticket's results. Draws the table again when it changes. */
  drawDownload: (ticket: TicketMatch) => ReactNode;
};

/** The tickets of the user's company, searched, filtered and stopped. */
export function Uploads({ drawDownload }: Props) {
  const [{ page, limit, ...filter }, setState] = useUrlState(address);
  const read = useQuery(
    readPage<typeof findTickets>([...ticketsKey, 'uploads'], 'GET /tickets/find', {
      query: { ...filter, page, limit },
    }),
  );
  const [stopping, setStopping] = useState<TicketMatch | null>(null);
  const columns = useMemo(() => uploadColumns({ drawDownload, stop: setStopping }), [drawDownload]);
  const isNarrowed = Object.values(filter).some((value) => value !== '');
  const narrow = (change: Partial<typeof filter>) => setState({ ...change, page: 1 }, { replace: true });

  return (
    <>
      <PageHeader title={m.common_menu_uploads()} subtitle={m.tickets_uploads_subtitle()} />
      <ListPanel
        title={m.tickets_uploads_list()}
        name="uploads"
        read={read}
        columns={columns}
        search={{ label: m.tickets_uploads_search(), value: filter.q, onSearch: (q) => narrow({ q }) }}
        bar={
          <div className={`${layout.row} ${panels.barFields}`}>
            <NativeSelect
              label={m.tickets_status()}
              value={filter.status}
              data={[
                { value: '', label: m.tickets_all() },
                ...ticketStatuses.map((value) => ({ value, label: nameStatus(value) })),
              ]}
              onChange={({ target }) => narrow({ status: address.status.parse(target.value) })}
            />
            <NativeSelect
              label={m.tickets_kind()}
              value={filter.kind}
              data={[
                { value: '', label: m.tickets_all() },
                { value: 'upload', label: m.tickets_kind_upload() },
                { value: 'paste', label: m.tickets_kind_paste() },
                { value: 'order', label: m.tickets_kind_order() },
                { value: 'recheck', label: m.tickets_kind_recheck() },
              ]}
              onChange={({ target }) => narrow({ kind: address.kind.parse(target.value) })}
            />
          </div>
        }
        empty={
          isNarrowed ? (
            <EmptyState
              title={m.tickets_uploads_no_matches()}
              action={
                <Button
                  ref={passFocusOn}
                  variant="default"
                  onClick={() => narrow({ q: '', status: '', kind: '' })}
                >
                  {m.tickets_uploads_show_all()}
                </Button>
              }
            />
          ) : (
            <EmptyState
              title={m.tickets_uploads_empty()}
              hint={m.tickets_uploads_empty_hint()}
              action={<Link to={paths.upload}>{m.common_menu_upload()}</Link>}
            />
          )
        }
        sizes={pageSizes}
        limit={limit}
        onPage={setState}
      />
      {stopping && (
        <CancelTicketDialog ticket={stopping} label={m.tickets_stop()} onClose={() => setStopping(null)} />
      )}
    </>
  );
}
