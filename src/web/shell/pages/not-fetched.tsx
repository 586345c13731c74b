import { m } from '#shared/texts/messages.js';
import { ErrorState } from '#web/ui/feedback/error-state.tsx';

export function NotFetched() {
  return <ErrorState text={m.common_screen_failed_text()} onRetry={() => location.reload()} />;
}
