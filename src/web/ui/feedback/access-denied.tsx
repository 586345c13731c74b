import { IconLock } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import './message-state.css';

/** A screen that the signed-in user may not see, with the reason. */
export function AccessDenied({ reason }: { reason: string }) {
  return (
    <>
      <PageHeader title={m.common_access_denied()} />
      <div className="panel message-state">
        <IconLock size={32} stroke={1.5} aria-hidden="true" />
        <p className="message-title">{reason}</p>
      </div>
    </>
  );
}
