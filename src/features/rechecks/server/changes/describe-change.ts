import { compareAnswers } from '#features/devices/server/devices.service.ts';
import type { SheetChange } from './change-columns.ts';

/** Describes a change as the list and the JSON download answer it. */
export function describeChange<Kind>(row: SheetChange<Kind> & { id: number | string }) {
  const { id, serial, kind, before, after, fields } = row;
  const changes = before && after ? compareAnswers(before, after) : {};
  return { _id: String(id), serial_number: serial, kind, changes, fields };
}
