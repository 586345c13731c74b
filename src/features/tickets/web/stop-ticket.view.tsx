import { Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import { m } from '#shared/texts/messages.js';
import { OverlayOnDemand } from '#web/shell/pages/overlay-on-demand.tsx';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { ticketQuery } from './tickets.api.ts';

const loadDialog = () => import('./list/cancel-ticket-dialog.tsx');

/** The button that cancels a ticket, while it runs. Says so if the ticket could not be read. */
export function StopTicket({ ticketNumber }: { ticketNumber: string }) {
  const read = useQuery(ticketQuery(ticketNumber));
  const ticket = read.data;
  const [isOpen, setIsOpen] = useState(false);
  if (ticket === undefined) return <PartNotRead read={read} name={m.tickets_ticket()} />;
  return (
    <>
      {isRunning(ticket) && (
        <Button
          variant="default"
          leftSection={<IconBan size={16} aria-hidden="true" />}
          onClick={() => setIsOpen(true)}
        >
          {m.tickets_stop()}
        </Button>
      )}
      {isOpen && (
        <OverlayOnDemand
          load={loadDialog}
          props={{ ticket, label: m.tickets_stop(), onClose: () => setIsOpen(false) }}
        />
      )}
    </>
  );
}
