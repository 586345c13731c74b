import { type AnswerRow, answerRow } from './devices.queries.ts';

const fields = Object.keys(answerRow) as (keyof typeof answerRow)[];

/**
 * Describes answers as changes: all known fields of the first answer, and the differences of each later answer.
 * @param answers oldest first
 */
export function listChanges(answers: AnswerRow[]) {
  return answers.map((answer, index) => {
    const before = answers[index - 1];
    const changed = fields
      .map((field) => [field, [before?.[field] ?? null, answer[field]]] as const)
      .filter(([, [old, now]]) => old !== now);
    return {
      at: answer.at.toISOString(),
      source: answer.source,
      ticket_number: String(answer.ticket_number),
      changes: Object.fromEntries(changed) as Partial<
        Record<keyof typeof answerRow, [string | null, string | null]>
      >,
    };
  });
}
