import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/failure.ts';
import './message-state.css';

type Props = { error: unknown; fallback?: string; onRetry: () => void };

/** A read that failed, in the place of what it should have brought: the server's words and a way to try again. */
export function ErrorState({ error, fallback = m.common_fetch_failed(), onRetry }: Props) {
  return (
    <div className="message-state">
      <IconAlertTriangle size={32} stroke={1.5} aria-hidden="true" />
      <p className="message-title" role="alert">
        {describeFailure(error, fallback)}
      </p>
      <div className="row">
        <Button variant="default" onClick={onRetry}>
          {m.common_retry()}
        </Button>
      </div>
    </div>
  );
}
