import { type Icon, IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import styles from './message-state.module.css';

type Props = {
  icon: Icon;
  title: string;
  /** How screen readers announce the title, if it comes later than the screen. */
  announced?: { role: 'alert' } | { 'aria-live': 'polite' };
  children?: ReactNode;
  action?: ReactNode;
};

export function MessageState({ icon: MessageIcon, title, announced, children, action }: Props) {
  return (
    <div className={styles.messageState}>
      <MessageIcon size={32} stroke={1.5} aria-hidden="true" />
      <p className={styles.messageTitle} {...announced}>
        {title}
      </p>
      {children}
      {action !== undefined && <div className={`${layout.row} ${styles.actions}`}>{action}</div>}
    </div>
  );
}

type EmptyProps = { title: string; hint?: ReactNode; action?: ReactNode };

export function EmptyState({ title, hint, action }: EmptyProps) {
  return (
    <MessageState icon={IconInbox} title={title} announced={{ 'aria-live': 'polite' }} action={action}>
      {hint !== undefined && <p className={typography.dim}>{hint}</p>}
    </MessageState>
  );
}
