import { useQueryClient } from '@tanstack/react-query';
import type { importSerials } from '#features/imports/imports.contract.ts';
import { readChanged } from '#features/tickets/web/changes.view.ts';
import { nameNumbered } from '#features/tickets/web/name-ticket.view.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { call } from '#web/client/api-client.ts';
import { useSendOnce } from '#web/client/idempotency-key.ts';
import { useUser } from '#web/client/session.ts';
import { formatNumber } from '#web/format/format.ts';
import { toast } from '#web/ui/feedback/toast.tsx';

/**
 * Returns a function that asks the sources about serials again, in a ticket of their own, and announces the ticket. It is
 * undefined for superadmins, who cannot import.
 */
export function useCheckAgain(): ((serials: string[]) => Promise<void>) | undefined {
  const queries = useQueryClient();
  const { superadmin } = useUser();
  const sendOnce = useSendOnce();
  if (superadmin) return undefined;
  return async (serials) => {
    const count = serials.length;
    const [first = ''] = serials;
    const name = count === 1 ? first : m.rechecks_named({ count, number: formatNumber(count) });
    const { ticket } = await sendOnce(serials, (idempotencyKey) =>
      call<typeof importSerials>('POST /data/serials', {
        body: { serials, name, ask_again: true },
        idempotencyKey,
      }),
    );
    const number = ticket.ticket_number;
    toast.success(m.rechecks_made({ ticket: nameNumbered(ticket) }), {
      to: paths.ticketOf(number),
      text: m.rechecks_open_ticket({ number }),
    });
    await readChanged(queries);
  };
}
