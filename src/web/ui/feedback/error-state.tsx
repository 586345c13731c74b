import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { passFocusOn } from '../overlay/move-focus.ts';
import { MessageState } from './message-state.tsx';

type Props = {
  text: string;
  onRetry?: (() => void) | undefined;
};

export function ErrorState({ text, onRetry }: Props) {
  return (
    <MessageState
      icon={IconAlertTriangle}
      title={text}
      announced={{ role: 'alert' }}
      action={onRetry && <RetryButton onRetry={onRetry} />}
    />
  );
}

type ButtonProps = { size?: string; onRetry: () => void };

/** Repeats a failed read. It disappears when it is pressed. */
export function RetryButton({ size, onRetry }: ButtonProps) {
  return (
    <Button ref={passFocusOn} variant="default" {...(size && { size })} onClick={onRetry}>
      {m.common_retry()}
    </Button>
  );
}
