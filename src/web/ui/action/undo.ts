import { m } from '#shared/texts/messages.js';
import { describeFailedChange } from '#web/client/failure.ts';
import { toast } from '#web/ui/feedback/toast.tsx';

/** The "Undo" button of a toast: reverts the change, reads the screen again, and shows whether that worked. */
export function offerUndo(
  takeBack: () => Promise<unknown>,
  readAgain: () => Promise<unknown>,
): { text: string; press: () => void } {
  const press = async () => {
    try {
      await takeBack().finally(readAgain);
      toast.success(m.common_undone());
    } catch (failure) {
      toast.error(describeFailedChange(failure, m.common_undo_failed()));
    }
  };
  return { text: m.common_undo(), press };
}
