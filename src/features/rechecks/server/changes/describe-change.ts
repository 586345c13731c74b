import { compareAnswers, type Values } from '#features/devices/server/devices.service.ts';
import type { RecheckChange } from '../../rechecks.contract.ts';
import type { ChangeRow } from './changes.queries.ts';

/** Describes a change as the list and the JSON download answer it. */
export function describeChange(row: ChangeRow & { fields: Values }): RecheckChange {
  const { id, serial, kind, before, after, fields } = row;
  const changes = before && after ? compareAnswers(before, after) : {};
  return { _id: String(id), serial_number: serial, kind, changes, fields };
}
