import type { RowOf } from '#server/db/column-types.ts';
import type { DeviceChanges } from '../devices.contract.ts';
import { type AnswerRow, answerRow } from './devices.queries.ts';
import type { FieldChangeRow } from './fields/field-values.queries.ts';

const fields = Object.keys(answerRow) as (keyof typeof answerRow)[];

/** The six fields of an answer about a device. */
export type DeviceAnswer = RowOf<typeof answerRow>;

/** Returns the fields in which an answer differs from the one before; all known fields without one. */
export function compareAnswers(before: DeviceAnswer | undefined, after: DeviceAnswer): DeviceChanges {
  const changed = fields
    .map((field) => [field, [before?.[field] ?? null, after[field]]] as const)
    .filter(([, [old, now]]) => old !== now);
  return Object.fromEntries(changed);
}

/**
 * Describes the history of a device, oldest first: all known fields of the first answer, the differences of each later
 * answer, and the changes of own columns.
 * @param answers oldest first
 * @param values the changes of own columns, oldest first
 */
export function listHistory(answers: AnswerRow[], values: FieldChangeRow[]) {
  const ofAnswers = answers.map((answer, index) => ({
    at: answer.at.toISOString(),
    source: answer.source,
    ticket_number: String(answer.ticket_number),
    changes: compareAnswers(answers[index - 1], answer),
  }));
  const ofValues = values.map(({ at, ticket_number, by, changes }) => ({
    at: at.toISOString(),
    source: null,
    ticket_number: ticket_number === null ? null : String(ticket_number),
    ...(by && { by: { _id: String(by.id), email: by.email } }),
    changes: Object.fromEntries(Object.entries(changes).map(([key, change]) => [`field.${key}`, change])),
  }));
  return [...ofAnswers, ...ofValues].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
