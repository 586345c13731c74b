import { useEffect, useEffectEvent } from 'react';
import { m } from '#shared/texts/messages.js';
import { useLoaded } from '#web/browser/loaded.ts';
import { describeFailure } from '#web/client/failure.ts';
import { toast } from '#web/ui/feedback/toast.tsx';

/**
 * Fetches the code of a dialog, drawer or popover when it is first wanted. If that fails, a toast says so and the overlay closes.
 * @param load declared outside the component
 */
export function useOverlayCode<T extends { default: unknown }>(
  load: () => Promise<T>,
  { wanted = true, onClose }: { wanted?: boolean; onClose: () => void },
): T | undefined {
  const { loaded, failure } = useLoaded(load, { wanted });
  const close = useEffectEvent(() => {
    toast.error(describeFailure(failure, m.common_part_failed()));
    onClose();
  });
  useEffect(() => {
    if (failure !== null) close();
  }, [failure]);
  return loaded;
}
