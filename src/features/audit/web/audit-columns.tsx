import { Button } from '@mantine/core';
import { m } from '#shared/texts/messages.js';
import * as format from '#web/format/format.ts';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { PlainTable } from '#web/ui/table/plain-table.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import type { AuditEntry } from '../audit.contract.ts';
import { describeAction, nameField } from '../audit-words.shared.ts';
import {
  listChanges,
  nameActorAndToken,
  nameCompany,
  nameObject,
  summarizeChanges,
} from '../describe-entry.shared.ts';

export function auditColumns(show: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  return [
    {
      key: 'at',
      card: 'state',
      header: m.audit_at,
      kind: 'instant',
      pinned: true,
      cell: ({ at }) => format.formatInstant(at),
    },
    { key: 'actor', card: 'more', header: m.audit_actor, kind: 'text', cell: nameActorAndToken },
    {
      key: 'action',
      card: 'title',
      header: m.audit_action,
      kind: 'text',
      cell: ({ action }) => describeAction(action),
    },
    {
      key: 'object',
      card: 'end',
      header: m.audit_object,
      kind: 'text',
      cell: (entry) => nameObject(entry, format),
    },
    {
      key: 'company',
      card: 'none',
      header: m.audit_company,
      kind: 'text',
      cell: nameCompany,
    },
    {
      key: 'change',
      card: 'none',
      header: m.audit_change,
      kind: 'text',
      width: 180,
      cell: (entry) => summarizeChanges(entry, format),
    },
    {
      key: 'details',
      card: 'menu',
      header: m.audit_details,
      kind: 'action',
      cell: (entry) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={m.audit_details_of({
            action: describeAction(entry.action),
            at: format.formatInstant(entry.at),
          })}
          onClick={() => show(entry)}
        >
          {m.audit_details()}
        </Button>
      ),
    },
  ];
}

export function AuditEntryDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const facts = [
    [m.audit_at(), format.formatInstant(entry.at)],
    [m.audit_actor(), nameActorAndToken(entry)],
    [m.audit_address(), entry.address ?? '–'],
    [m.audit_object(), nameObject(entry, format)],
    [m.audit_company(), nameCompany(entry)],
  ] as const;
  const changes = listChanges(entry, format);
  return (
    <Dialog title={describeAction(entry.action)} width="wide" closeButton onClose={onClose}>
      <FactList facts={facts} />
      {changes.length > 0 && (
        <PlainTable
          label={m.audit_change()}
          headers={[m.audit_field(), m.audit_before(), m.audit_after()]}
          rows={changes.map(({ name, before, after }) => ({
            key: name,
            cells: [nameField(name), before ?? '–', after ?? '–'],
          }))}
        />
      )}
    </Dialog>
  );
}
