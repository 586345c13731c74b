import { AuditLog } from '#features/audit/web/audit-log.tsx';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import { useUser } from '#web/client/session.ts';

/** The audit log; superadmins filter it by company. */
export function AuditPage() {
  const { superadmin } = useUser();
  return <AuditLog CompanyField={superadmin ? CompanySelect : undefined} />;
}
