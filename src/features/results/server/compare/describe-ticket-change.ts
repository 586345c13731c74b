import { compareAnswers, type Values } from '#features/devices/server/devices.service.ts';
import type { TicketChange } from '../../results.contract.ts';
import type { TicketChangeRow } from './ticket-changes.queries.ts';

/** Describes a change as the list and the JSON download answer it. */
export function describeTicketChange(row: TicketChangeRow & { fields: Values }): TicketChange {
  const { id, serial, kind, before, after, fields } = row;
  return { _id: id, serial_number: serial, kind, changes: compareAnswers(before, after), fields };
}
