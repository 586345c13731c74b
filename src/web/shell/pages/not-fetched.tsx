import { useEffect } from 'react';
import { m } from '#shared/texts/messages.js';
import { reloadWhenBack } from '#web/browser/reload-when-back.ts';
import { ErrorState } from '#web/ui/feedback/error-state.tsx';

/** Stands in place of a page whose code could not be fetched. */
export function NotFetched() {
  useEffect(reloadWhenBack, []);
  return <ErrorState text={m.common_screen_failed_text()} onRetry={() => location.reload()} />;
}
