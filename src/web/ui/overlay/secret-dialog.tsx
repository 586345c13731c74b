import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { m } from '#shared/texts/messages.js';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { CopyButton } from '#web/ui/action/copy-button.tsx';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  title: string;
  warning: string;
  secret: string;
  copyLabel: string;
  onClose: () => void;
  children: ReactNode;
};

export function SecretDialog({ title, warning, secret, copyLabel, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose} footer={<Button onClick={onClose}>{m.common_done()}</Button>}>
      <Banner tone="warning">{warning}</Banner>
      <p>
        <code className={typography.code}>{secret}</code>
      </p>
      <div className={layout.row}>
        <CopyButton text={secret} label={copyLabel} />
      </div>
      {children}
    </Dialog>
  );
}
