import { Button } from '@mantine/core';
import { m } from '#shared/texts/messages.js';
import { formatInstant } from '#web/format/format.ts';
import type { Column } from '#web/ui/table/table-column.ts';
import type { AuditEntry } from './audit.api.ts';
import { describeAction, nameActor, nameObject, summarizeChanges } from './audit-texts.ts';

/** The columns of the audit log; each row's button shows the entry whole. */
export function auditColumns(show: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  return [
    {
      key: 'at',
      header: m.audit_at,
      width: 157,
      pinned: true,
      words: { of: ({ at }) => formatInstant(at), as: 'text' },
      cell: ({ at }) => formatInstant(at),
    },
    { key: 'actor', header: m.audit_actor, width: 120, clip: true, cell: nameActor },
    {
      key: 'action',
      header: m.audit_action,
      width: 120,
      clip: true,
      cell: ({ action }) => describeAction(action),
    },
    { key: 'object', header: m.audit_object, width: 100, clip: true, cell: nameObject },
    { key: 'company', header: m.audit_company, width: 86, cell: ({ company_code }) => company_code ?? '–' },
    {
      key: 'address',
      header: m.audit_address,
      width: 90,
      clip: true,
      cell: ({ address }) => address ?? '–',
    },
    { key: 'change', header: m.audit_change, width: 130, clip: true, cell: summarizeChanges },
    {
      key: 'details',
      header: m.audit_details,
      width: 110,
      align: 'right',
      cell: (entry) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={m.audit_details_of({
            action: describeAction(entry.action),
            at: formatInstant(entry.at),
          })}
          onClick={() => show(entry)}
        >
          {m.audit_details()}
        </Button>
      ),
    },
  ];
}
