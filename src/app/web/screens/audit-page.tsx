import { AuditLog } from '#features/audit/web/audit-log.tsx';
import { useCompanyCodes } from '#features/clients/web/clients.api.ts';

/** The audit log with the filter by company. */
export function Component() {
  return <AuditLog companies={useCompanyCodes('all')} />;
}
