import { IconLock } from '@tabler/icons-react';
import { Outlet } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { hasRole } from '#web/client/role.ts';
import { useUser } from '#web/client/session.ts';
import { useLanguage } from '#web/preferences/language.ts';
import { MessageState } from '#web/ui/feedback/message-state.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';

type Props = {
  who: 'superadmin' | 'admin' | 'standard';
  reason: () => string;
};

export function OnlyFor({ who, reason }: Props) {
  useLanguage();
  if (hasRole(useUser(), who)) return <Outlet />;
  return (
    <>
      <PageHeader title={m.common_access_denied()} />
      <div className="panel">
        <MessageState icon={IconLock} title={reason()} />
      </div>
    </>
  );
}
