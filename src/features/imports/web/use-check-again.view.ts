import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { importSerials } from '#features/imports/imports.contract.ts';
import { readChanged } from '#features/tickets/web/changes.view.ts';
import { nameNumbered } from '#features/tickets/web/name-ticket.view.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { call } from '#web/client/api-client.ts';
import { makeIdempotencyKey } from '#web/client/idempotency-key.ts';
import { useUser } from '#web/client/session.ts';
import { formatNumber } from '#web/format/format.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { isEndUnknown } from './upload-attempt.ts';

/**
 * Returns a function that asks the sources about serials again, in a ticket of their own, and announces the ticket. It is
 * undefined for superadmins, who cannot import.
 */
export function useCheckAgain(): ((serials: string[]) => Promise<void>) | undefined {
  const queries = useQueryClient();
  const { superadmin } = useUser();
  /** The latest attempt, while its outcome is unknown: a repeat has its key. */
  const open = useRef<{ list: string; key: string }>(null);
  if (superadmin) return undefined;
  return async (serials) => {
    const count = serials.length;
    const [first = ''] = serials;
    const name = count === 1 ? first : m.rechecks_named({ count, number: formatNumber(count) });
    const list = serials.join();
    if (open.current?.list !== list) open.current = { list, key: makeIdempotencyKey() };
    const { ticket } = await call<typeof importSerials>('POST /data/serials', {
      body: { serials, name, ask_again: true },
      idempotencyKey: open.current.key,
    }).catch((failure: unknown) => {
      if (!isEndUnknown(failure)) open.current = null;
      throw failure;
    });
    open.current = null;
    const number = ticket.ticket_number;
    toast.success(m.rechecks_made({ ticket: nameNumbered(ticket) }), {
      to: paths.ticketOf(number),
      text: m.rechecks_open_ticket({ number }),
    });
    await readChanged(queries);
  };
}
