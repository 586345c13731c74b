/**
 * Keeps the latest answers to questions whose answers do not change: a question names everything that its answer
 * depends on. Whoever asks while it is being answered waits for the same answer.
 */
export class KeptAnswers<T> {
  readonly #most: number;
  readonly #answers = new Map<string, Promise<T>>();

  constructor(most: number) {
    this.#most = most;
  }

  get(question: string, answer: () => Promise<T>): Promise<T> {
    const kept = this.#answers.get(question) ?? answer();
    // The latest stand last.
    this.#answers.delete(question);
    this.#answers.set(question, kept);
    kept.catch(() => this.#answers.delete(question));
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#most) break;
      this.#answers.delete(oldest);
    }
    return kept;
  }
}
