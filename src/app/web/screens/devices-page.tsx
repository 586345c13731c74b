import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Device } from '#features/devices/web/devices.api.ts';
import { Devices } from '#features/devices/web/devices.tsx';
import { checkSerialAgain } from '#features/imports/web/imports.api.ts';
import { readChanged } from '#features/tickets/web/changes.view.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { useUser } from '#web/client/session.ts';
import { useSubmit } from '#web/client/submit.ts';
import { toast } from '#web/ui/feedback/toast.tsx';

/** The register of devices. Users of a company, who can import, check a device again. */
export function Component() {
  const { superadmin } = useUser();
  return <Devices drawAction={superadmin ? undefined : (device) => <CheckAgain device={device} />} />;
}

function CheckAgain({ device: { serial_number: serial } }: { device: Device }) {
  const queries = useQueryClient();
  const { busy, submit } = useSubmit({
    send: async () => {
      const { ticket } = await checkSerialAgain(serial);
      const number = ticket.ticket_number;
      toast.success(m.rechecks_made({ number }), {
        to: paths.ticketOf(number),
        text: m.rechecks_open_ticket({ number }),
      });
      await readChanged(queries);
    },
    fallback: m.rechecks_device_failed(),
    onError: toast.error,
  });
  return (
    <Button
      leftSection={<IconRefresh size={16} aria-hidden="true" />}
      disabled={busy}
      onClick={() => submit()}
    >
      {busy ? m.rechecks_running() : m.rechecks_device()}
    </Button>
  );
}
