import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/client/failure.ts';
import './message-state.css';

type Props = {
  error: unknown;
  /** Fixed words for this failure, in place of the server's. */
  text?: string;
  onRetry: () => void;
};

/** A read that failed, in the place of what it should have brought: why, and a way to try again. */
export function ErrorState({ error, text, onRetry }: Props) {
  return (
    <div className="message-state">
      <IconAlertTriangle size={32} stroke={1.5} aria-hidden="true" />
      <p className="message-title" role="alert">
        {text ?? describeFailure(error, m.common_fetch_failed())}
      </p>
      <div className="row">
        <Button variant="default" onClick={onRetry}>
          {m.common_retry()}
        </Button>
      </div>
    </div>
  );
}
