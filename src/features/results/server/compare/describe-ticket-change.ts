import { compareAnswers } from '#features/devices/server/devices.service.ts';
import type { TicketChange } from '../../results.contract.ts';
import type { TicketChangeRow } from './ticket-changes.queries.ts';

/** Describes a change as the list and the JSON download answer it. */
export function describeTicketChange({ id, serial, kind, before, after }: TicketChangeRow): TicketChange {
  return { _id: id, serial_number: serial, kind, changes: compareAnswers(before, after) };
}
