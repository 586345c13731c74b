import { useOverlayCode } from '#web/ui/overlay/use-overlay-code.ts';
import type { OnDemandProps } from './on-demand.tsx';

/**
 * A dialog or drawer whose code is fetched when it is first opened. Apart from `OnDemand`, because toasts would double what
 * the signed-out screens load.
 */
export function OverlayOnDemand<P extends { onClose: () => void }>({ load, props }: OnDemandProps<P>) {
  const loaded = useOverlayCode(load, props);
  return loaded && <loaded.default {...props} />;
}
