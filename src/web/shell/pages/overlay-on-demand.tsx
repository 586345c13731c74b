import { useEffect, useEffectEvent } from 'react';
import { m } from '#shared/texts/messages.js';
import { useLoaded } from '#web/browser/loaded.ts';
import { describeFailure } from '#web/client/failure.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import type { OnDemandProps } from './on-demand.tsx';

/**
 * A dialog or drawer whose code is fetched when it is first opened. If that fails, a toast says so and it closes. Apart
 * from `OnDemand`, because toasts would double what the signed-out screens load.
 */
export function OverlayOnDemand<P extends { onClose: () => void }>({ load, props }: OnDemandProps<P>) {
  const { loaded, failure } = useLoaded(load);
  const close = useEffectEvent(() => {
    toast.error(describeFailure(failure, m.common_part_failed()));
    props.onClose();
  });
  useEffect(() => {
    if (failure !== null) close();
  }, [failure]);
  return loaded && <loaded.default {...props} />;
}
