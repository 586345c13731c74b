import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { toast } from '#web/ui/feedback/toast.tsx';
import { describeFailedChange } from './failure.ts';

/**
 * Returns a function that runs an action of a row or a menu. It shows a failure as a toast, and reads the data under the
 * key again after success and failure.
 */
export function useAct(queryKey: QueryKey) {
  const queries = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a screen keeps its key
  return useCallback(
    async (send: () => Promise<unknown>, fallback: string) => {
      try {
        await send();
      } catch (failure) {
        toast.error(describeFailedChange(failure, fallback));
      }
      await queries.invalidateQueries({ queryKey });
    },
    [queries],
  );
}

/** Returns a function that announces the success of an action as a toast, and reads the data under the key again. */
export function useAnnounceSuccess(queryKey: QueryKey) {
  const queries = useQueryClient();
  return async (words: string) => {
    toast.success(words);
    await queries.invalidateQueries({ queryKey });
  };
}
