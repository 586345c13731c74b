import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** The first part of the key of each preview. */
export const previewKey = 'preview';

/** Drops previews that are not on screen, because an upload or a change on another screen may have made them wrong. */
export function dropPreviews(queries: QueryClient): void {
  queries.removeQueries({ queryKey: [previewKey], type: 'inactive' });
}

/** Drops previews when the screen is left, except while an upload runs: if it fails, its preview is shown again. */
export function useDropOnLeave(busy: boolean): void {
  const queries = useQueryClient();
  const latest = useRef(busy);
  latest.current = busy;
  useEffect(
    () => () => {
      if (!latest.current) dropPreviews(queries);
    },
    [queries],
  );
}
