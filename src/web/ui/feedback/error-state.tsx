import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useLayoutEffect, useRef } from 'react';
import { m } from '#shared/texts/messages.js';
import { focusAround } from '../overlay/move-focus.ts';
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

/** Repeats a failed read. It disappears when it is pressed, and moves the focus to its dialog or the screen. */
export function RetryButton({ size, onRetry }: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (document.activeElement === element) focusAround(element);
    };
  }, []);
  return (
    <Button ref={button} variant="default" {...(size && { size })} onClick={onRetry}>
      {m.common_retry()}
    </Button>
  );
}
