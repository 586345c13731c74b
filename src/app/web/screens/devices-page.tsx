import { Devices } from '#features/devices/web/devices.tsx';
import { useCheckAgain } from '#features/imports/web/use-check-again.view.ts';
import { DeviceTicket } from '#features/tickets/web/device-ticket.view.tsx';

/** The register of devices. Users of a company, who can import, check devices again. */
export function DevicesPage() {
  return <Devices checkAgain={useCheckAgain()} Ticket={DeviceTicket} />;
}
