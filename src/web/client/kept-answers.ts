/** As many as the polls of a few screens. */
const mostKept = 20;

type Kept = { tag: string; answer: unknown };

/**
 * The last answers of a session that carried a tag, by what was asked; in memory alone, as the server wants none of them
 * stored. A poll names the tag, and a server that finds nothing changed answers 304 without a body.
 */
const answers = new Map<string, Kept>();
let owner: string | null = null;

/** Forgets every answer; of a call that is still under way too. */
export function forgetAnswers(): void {
  answers.clear();
  owner = null;
}

/** The answer that a session has kept for a question, if any. */
export function findKept(session: string | null, question: string): Kept | undefined {
  if (session !== owner) forgetAnswers();
  owner = session;
  return answers.get(question);
}

/** Keeps an answer in the place of the one before; the oldest give way. */
export function keepAnswer(session: string | null, question: string, kept: Kept): void {
  if (session !== owner) return;
  answers.delete(question);
  answers.set(question, kept);
  for (const oldest of answers.keys()) {
    if (answers.size <= mostKept) break;
    answers.delete(oldest);
  }
}
