import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { readChanged } from '#features/tickets/web/changes.view.ts';
import { nameNumbered, nameTicket } from '#features/tickets/web/name-ticket.view.ts';
import { TicketBadge } from '#features/tickets/web/ticket-badge.view.tsx';
import { TicketName } from '#features/tickets/web/ticket-name.view.tsx';
import { ownValue } from '#shared/own-value.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { call } from '#web/client/api-client.ts';
import { isEndUnknown } from '#web/client/failure.ts';
import { useSendOnce } from '#web/client/idempotency-key.ts';
import { formatDay, formatInstant, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { ReadDialog } from '#web/ui/overlay/read-dialog.tsx';
import type { Recheck, RecheckRun, runRecheck } from '../rechecks.contract.ts';
import { asTicket } from './as-ticket.ts';
import { recheckQuery } from './rechecks.api.ts';

type Props = { companyCode: string; recheck: Recheck };

export function RunNow({ companyCode, recheck }: Props) {
  const [isAsking, setAsking] = useState(false);
  const { count, runs } = recheck;
  const reason = findReason(recheck);
  const [latest] = runs;
  return (
    <Panel title={m.rechecks_run()}>
      <div className={layout.stack}>
        <p>{reason ?? m.rechecks_count({ count: formatNumber(count ?? 0) })}</p>
        {latest === undefined ? (
          <p className={typography.dim}>{m.rechecks_no_run()}</p>
        ) : (
          <LatestRun run={latest} />
        )}
        <div className={layout.row}>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            disabled={reason !== null}
            onClick={() => setAsking(true)}
          >
            {m.rechecks_run_now()}
          </Button>
        </div>
      </div>
      {isAsking && (
        <ReadDialog
          title={m.rechecks_run_now()}
          query={recheckQuery(companyCode)}
          onClose={() => setAsking(false)}
        >
          {(present) => (
            <RunDialog companyCode={companyCode} recheck={present} onClose={() => setAsking(false)} />
          )}
        </ReadDialog>
      )}
    </Panel>
  );
}

/** Why no ticket can be made now, as the server would say it. */
function findReason({ count, cap }: Recheck): string | null {
  if (count === null) return m.rechecks_reason_view();
  if (count === 0) return m.rechecks_reason_none();
  if (count > cap) return m.rechecks_reason_cap({ count: formatNumber(count), cap: formatNumber(cap) });
  return null;
}

function LatestRun({
  run: { at, ticket_number: number, status, refusal, due_on, count },
}: {
  run: RecheckRun;
}) {
  if (number !== null) {
    const ticket = asTicket(number, at);
    return (
      <p className={layout.row}>
        {m.rechecks_latest({ at: formatInstant(at) })}
        <TicketName ticket={ticket}>
          <Link to={paths.ticketOf(number)}>{nameTicket(ticket)}</Link>
        </TicketName>
        {status !== null && <TicketBadge status={status} />}
      </p>
    );
  }
  const reasons: Record<string, () => string> = {
    too_many_devices: () => m.rechecks_refused_cap({ count: formatNumber(count ?? 0) }),
    no_devices: m.rechecks_refused_none,
    view_gone: m.rechecks_refused_view,
    client_inactive: m.rechecks_refused_inactive,
    budget_exceeded: m.rechecks_refused_budget,
  };
  const reason = ownValue(reasons, refusal ?? '') ?? m.rechecks_refused_failed;
  return (
    <Banner tone="warning">{m.rechecks_refused({ day: formatDay(due_on ?? at), reason: reason() })}</Banner>
  );
}

function RunDialog({ companyCode, recheck, onClose }: Props & { onClose: () => void }) {
  const queries = useQueryClient();
  const sendOnce = useSendOnce();
  // While nobody knows whether a ticket was made, a repeat is the same call: another count would make a second ticket.
  const [openCount, setOpenCount] = useState<number | null>(null);
  const count = openCount ?? recheck.count ?? 0;
  const reason = findReason(recheck);
  return (
    <FormDialog
      title={m.rechecks_run_now()}
      submitLabel={m.rechecks_run_confirm()}
      busyLabel={m.rechecks_running()}
      fallback={m.rechecks_run_failed()}
      onSubmit={async () => {
        const { ticket } = await sendOnce(count, (idempotencyKey) =>
          call<typeof runRecheck>('POST /rechecks/{company_code}/run', {
            params: { company_code: companyCode },
            body: { count },
            idempotencyKey,
          }),
        )
          .catch((failure: unknown) => {
            setOpenCount(isEndUnknown(failure) ? count : null);
            throw failure;
          })
          .finally(() => void readChanged(queries));
        const { ticket_number: number } = ticket;
        toast.success(m.rechecks_made({ ticket: nameNumbered(ticket) }), {
          to: paths.ticketOf(number),
          text: m.rechecks_open_ticket({ number }),
        });
      }}
      onClose={onClose}
      disabled={reason !== null}
    >
      <p>{reason ?? m.rechecks_run_text({ count, number: formatNumber(count) })}</p>
    </FormDialog>
  );
}
