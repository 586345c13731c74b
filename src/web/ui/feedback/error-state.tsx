import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { MessageState } from './message-state.tsx';

type Props = {
  /** Why it failed. */
  text: string;
  /** Missing where another try would fail, too. */
  onRetry?: (() => void) | undefined;
};

/** A read that failed, in the place of what it should have brought: why, and a way to try again, if there is one. */
export function ErrorState({ text, onRetry }: Props) {
  return (
    <MessageState icon={IconAlertTriangle} title={text} announced={{ role: 'alert' }}>
      {onRetry && (
        <div className="row">
          <Button variant="default" onClick={onRetry}>
            {m.common_retry()}
          </Button>
        </div>
      )}
    </MessageState>
  );
}
