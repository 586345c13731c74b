import { useRouteError } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

/** A screen that broke or could not be fetched: the shell stays, and a reload is offered. */
export function ScreenError() {
  const error = useRouteError();
  return (
    <>
      <PageHeader title={m.common_screen_failed()} />
      <div className="panel">
        <ErrorState
          error={error}
          fallback={m.common_screen_failed_text()}
          onRetry={() => location.reload()}
        />
      </div>
    </>
  );
}
