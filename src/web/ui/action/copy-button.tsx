import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { toast } from '#web/ui/feedback/toast.tsx';
import { copyCells } from './clipboard.ts';

const feedbackMs = 2000;

/** Copies a text, each line for a cell of its own, and says "Copied!" for two seconds. `name` distinguishes several with the same label. */
export function CopyButton({ text, label, name }: { text: string; label: string; name?: string }) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), feedbackMs);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      await copyCells(text.split('\n'));
      setCopied(true);
    } catch {
      toast.error(m.common_copy_failed());
    }
  };

  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={copied ? undefined : name}
      leftSection={
        copied ? <IconCheck size={14} aria-hidden="true" /> : <IconCopy size={14} aria-hidden="true" />
      }
      onClick={copy}
    >
      <span aria-live="polite">{copied ? m.common_copied() : label}</span>
    </Button>
  );
}
