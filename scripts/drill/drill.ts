/** A fault that is done to the running product, and what has to be so all the same. */
export type Drill = {
  /** What happens, as docs/reliability.md names it. */
  title: string;
  /**
   * Does it on a product of its own.
   * @returns what was seen, in a few words
   * @throws when the product did not hold, or `CannotDrill` when this machine cannot do it
   */
  run(): Promise<string>;
};

/** This machine lacks what a drill needs. */
export class CannotDrill extends Error {}
