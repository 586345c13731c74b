import { Button } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { m } from '#shared/texts/messages.js';

type Props = { size?: string; onRetry: () => void };

/** Repeats a failed read. It goes when it has been pressed, and leaves the focus to its dialog or the screen. */
export function RetryButton({ size, onRetry }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (element === null || document.activeElement !== element) return;
      (element.closest<HTMLElement>('[role="dialog"]') ?? document.getElementById('content'))?.focus();
    };
  }, []);
  return (
    <Button ref={button} variant="default" {...(size && { size })} onClick={onRetry}>
      {m.common_retry()}
    </Button>
  );
}
