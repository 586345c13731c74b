import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { MessageState } from './message-state.tsx';

type Props = { title: string; hint?: ReactNode; action?: ReactNode };

export function EmptyState({ title, hint, action }: Props) {
  return (
    <MessageState icon={IconInbox} title={title} announced={{ 'aria-live': 'polite' }}>
      {hint !== undefined && <p className="dim">{hint}</p>}
      {action !== undefined && <div className="row">{action}</div>}
    </MessageState>
  );
}
