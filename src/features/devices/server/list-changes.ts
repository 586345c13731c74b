import type { RowOf } from '#server/db/column-types.ts';
import type { DeviceChanges } from '../devices.contract.ts';
import { type AnswerRow, answerRow } from './devices.queries.ts';

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
 * Describes answers as changes: all known fields of the first answer, and the differences of each later answer.
 * @param answers oldest first
 */
export function listChanges(answers: AnswerRow[]) {
  return answers.map((answer, index) => ({
    at: answer.at.toISOString(),
    source: answer.source,
    ticket_number: String(answer.ticket_number),
    changes: compareAnswers(answers[index - 1], answer),
  }));
}
