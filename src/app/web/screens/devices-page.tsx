import { Devices } from '#features/devices/web/devices.tsx';
import { useCheckAgain } from '#features/imports/web/use-check-again.view.ts';

/** The register of devices. Users of a company, who can import, check devices again. */
export function DevicesPage() {
  return <Devices checkAgain={useCheckAgain()} />;
}
