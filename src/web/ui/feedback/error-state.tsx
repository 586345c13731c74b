import { IconAlertTriangle } from '@tabler/icons-react';
import { MessageState } from './message-state.tsx';
import { RetryButton } from './retry-button.tsx';

type Props = {
  text: string;
  onRetry?: (() => void) | undefined;
};

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
