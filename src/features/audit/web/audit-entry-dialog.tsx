import { Button } from '@mantine/core';
import { m } from '#shared/texts/messages.js';
import * as format from '#web/format/format.ts';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { describeAction, nameField } from '../audit-words.shared.ts';
import { listChanges, nameActor, nameCompany, nameObject } from '../describe-entry.shared.ts';
import type { AuditEntry } from './audit.api.ts';
import '#web/ui/table/plain-table.css';

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
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{m.audit_field()}</th>
              <th scope="col">{m.audit_before()}</th>
              <th scope="col">{m.audit_after()}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ name, before, after }) => (
              <tr key={name}>
                <th scope="row">{nameField(name)}</th>
                <td>{before ?? '–'}</td>
                <td>{after ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}
