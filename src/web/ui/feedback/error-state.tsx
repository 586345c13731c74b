import { IconAlertTriangle } from '@tabler/icons-react';
import { MessageState } from './message-state.tsx';
import { RetryButton } from './retry-button.tsx';

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
          <RetryButton onRetry={onRetry} />
        </div>
      )}
    </MessageState>
  );
}
