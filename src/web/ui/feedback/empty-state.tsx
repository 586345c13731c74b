import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import './message-state.css';

type Props = { title: string; hint?: ReactNode; action?: ReactNode };

/** Nothing there yet: says so, and what to do next. */
export function EmptyState({ title, hint, action }: Props) {
  return (
    <div className="message-state">
      <IconInbox size={32} stroke={1.5} aria-hidden="true" />
      <p className="message-title" aria-live="polite">
        {title}
      </p>
      {hint !== undefined && <p className="dim">{hint}</p>}
      {action !== undefined && <div className="row">{action}</div>}
    </div>
  );
}
