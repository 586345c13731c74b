import { AuditLog } from '#features/audit/web/audit-log.tsx';
import { useCompanyCodes } from '#features/clients/web/clients.api.ts';
import { useUser } from '#web/client/session.ts';

/** The audit log; superadmins filter it by company. */
export function Component() {
  const { superadmin } = useUser();
  const companies = useCompanyCodes('all', { enabled: superadmin });
  return <AuditLog companies={superadmin ? companies : null} />;
}
