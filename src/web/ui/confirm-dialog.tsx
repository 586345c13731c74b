import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { m } from '#shared/texts/messages.js';
import { useSubmit } from '#web/submit.ts';
import { Banner } from './banner.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  title: string;
  text: string;
  /** What exactly will be lost, in its own line under the question. */
  counts?: ReactNode;
  confirmLabel: string;
  busyLabel: string;
  /** The way out; "Cancel" unless the question is itself about cancelling. */
  dismissLabel?: string;
  /** Shown when the call fails without the server's words. */
  fallback: string;
  /** Does it; the dialog closes when it succeeds and shows the failure when not. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before something is lost. */
export function ConfirmDialog(props: Props) {
  const { busy, error, submit } = useSubmit({
    send: async () => {
      await props.onConfirm();
      props.onClose();
    },
    fallback: props.fallback,
  });

  return (
    <Dialog
      title={props.title}
      question
      busy={busy}
      onClose={props.onClose}
      footer={
        <>
          <Button variant="default" onClick={props.onClose} disabled={busy}>
            {props.dismissLabel ?? m.common_cancel()}
          </Button>
          <Button className="danger" onClick={submit} disabled={busy}>
            {busy ? props.busyLabel : props.confirmLabel}
          </Button>
        </>
      }
    >
      <p>{props.text}</p>
      {props.counts !== undefined && <p className="dim">{props.counts}</p>}
      {error !== null && <Banner tone="error">{error}</Banner>}
    </Dialog>
  );
}
