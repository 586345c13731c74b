import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { m } from '#shared/texts/messages.js';
import type { RefusableForm } from '#web/client/refused-fields.ts';
import { useSubmit } from '#web/client/submit.ts';
import buttons from '#web/styles/buttons.module.css';
import layout from '#web/styles/layout.module.css';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  title: string;
  submitLabel: string;
  busyLabel: string;
  fallback: string;
  /** Shows the server's refusals at its fields. */
  form?: RefusableForm;
  /** Takes over the stored values (`useStoredForm`) if somebody else has changed them, or no answer arrived. */
  follow?: (() => Promise<void>) | undefined;
  /** Sends the form. The dialog closes when this succeeds, and shows its failure. */
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  /** Whether there is nothing to send. */
  disabled?: boolean;
  /** A stronger action than the form's, such as a deletion. */
  other?: { label: string; onPress: () => void } | undefined;
  children: ReactNode;
};

export function FormDialog({
  title,
  submitLabel,
  busyLabel,
  fallback,
  form,
  follow,
  onSubmit,
  onClose,
  disabled = false,
  other,
  children,
}: Props) {
  const formId = useId();
  const { busy, error, submit } = useSubmit({
    form,
    follow,
    send: async () => {
      await onSubmit();
      onClose();
    },
    fallback,
  });
  return (
    <Dialog
      title={title}
      busy={busy}
      onClose={onClose}
      footer={
        <>
          {other && (
            <Button
              variant="default"
              className={buttons.dangerOutline}
              disabled={busy}
              onClick={other.onPress}
            >
              {other.label}
            </Button>
          )}
          <Button variant="default" disabled={busy} onClick={onClose}>
            {m.common_cancel()}
          </Button>
          <Button type="submit" form={formId} disabled={busy || disabled}>
            {busy ? busyLabel : submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} className={layout.stack} onSubmit={submit}>
        {error !== null && <Outcome tone="error">{error}</Outcome>}
        {children}
      </form>
    </Dialog>
  );
}
