import { Button } from '@mantine/core';
import { m } from '#shared/texts/messages.js';
import * as format from '#web/format/format.ts';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { PlainTable } from '#web/ui/table/plain-table.tsx';
import type { AuditEntry } from '../audit.contract.ts';
import { describeAction, nameField } from '../audit-words.shared.ts';
import { listChanges, nameActor, nameCompany, nameObject } from '../describe-entry.shared.ts';

/** All details of an entry: user, address, object, and every field before and after. */
export function AuditEntryDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const facts = [
    [m.audit_at(), format.formatInstant(entry.at)],
    [m.audit_actor(), nameActor(entry)],
    [m.audit_address(), entry.address ?? '–'],
    [m.audit_object(), nameObject(entry, format)],
    [m.audit_company(), nameCompany(entry)],
  ] as const;
  const changes = listChanges(entry, format);
  return (
    <Dialog
      title={describeAction(entry.action)}
      wide
      onClose={onClose}
      footer={
        <Button variant="default" onClick={onClose}>
          {m.common_close()}
        </Button>
      }
    >
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
