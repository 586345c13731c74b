import { Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { useSubmit } from '#web/client/submit.ts';
import buttons from '#web/styles/buttons.module.css';
import typography from '#web/styles/typography.module.css';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  title: string;
  text: string;
  /** The consequences, in a line of their own under the question. */
  counts?: ReactNode;
  /** A choice that the action takes into account. */
  option?: ReactNode;
  confirmLabel: string;
  busyLabel: string;
  /** The label of the button that closes the dialog; "Cancel" by default. Needed if the question is about cancelling. */
  dismissLabel?: string;
  fallback: string;
  /** Runs the action. The dialog closes when it succeeds, and shows its failure. */
  onConfirm: () => Promise<unknown>;
  /** A second action that does more; its button is then the main one. */
  other?: { label: string; onConfirm: () => Promise<unknown> };
  onClose: () => void;
};

export function ConfirmDialog(props: Props) {
  const { other } = props;
  const work = useRef(props.onConfirm);
  const [pressed, setPressed] = useState('');
  const { busy, error, submit } = useSubmit({
    send: async () => {
      await work.current();
      props.onClose();
    },
    fallback: props.fallback,
  });
  const drawButton = (label: string, onConfirm: () => Promise<unknown>, main: boolean) => (
    <Button
      {...(main ? { className: buttons.danger } : { variant: 'default', className: buttons.dangerOutline })}
      onClick={() => {
        work.current = onConfirm;
        setPressed(label);
        return submit();
      }}
      disabled={busy}
    >
      {busy && pressed === label ? props.busyLabel : label}
    </Button>
  );

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
          {drawButton(props.confirmLabel, props.onConfirm, other === undefined)}
          {other && drawButton(other.label, other.onConfirm, true)}
        </>
      }
    >
      <p>{props.text}</p>
      {props.counts !== undefined && <div className={typography.dim}>{props.counts}</div>}
      {props.option}
      {error !== null && <Outcome tone="error">{error}</Outcome>}
    </Dialog>
  );
}
