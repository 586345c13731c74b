import { m } from '#shared/texts/messages.js';
import { ErrorState } from '#web/ui/feedback/error-state.tsx';

/** In place of what broke or could not be fetched: a reload is offered. */
export function NotFetched() {
  return <ErrorState text={m.common_screen_failed_text()} onRetry={() => location.reload()} />;
}
