import { Devices } from '#features/devices/web/devices.tsx';
import { useUser } from '#web/client/session.ts';
import { CheckAgain } from './check-again.tsx';

/** The register of devices. Users of a company, who can import, check a device again. */
export function Component() {
  const { superadmin } = useUser();
  return <Devices drawAction={superadmin ? undefined : (device) => <CheckAgain device={device} />} />;
}
