import { useEffect, useEffectEvent } from 'react';
import { m } from '#shared/texts/messages.js';
import { useLoaded } from '#web/browser/loaded.ts';
import { describeFailure } from '#web/client/failure.ts';
import { toast } from '#web/ui/feedback/toast.tsx';

/**
 * Fetches the code of a dialog, drawer or popover when it is first needed. If that fails, a toast says so and the overlay closes.
 * @param load declared outside the component
 */
export function useOverlayCode<T extends { default: unknown }>(
  load: () => Promise<T>,
  { enabled = true, onClose }: { enabled?: boolean; onClose: () => void },
): T | undefined {
  const { loaded, failure } = useLoaded(load, { enabled });
  const close = useEffectEvent(() => {
    toast.error(describeFailure(failure, m.common_part_failed()));
    onClose();
  });
  useEffect(() => {
    if (failure !== null) close();
  }, [failure]);
  return loaded;
}
