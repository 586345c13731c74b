/** A fault that is injected into a running product, with the checks that must pass nevertheless. */
export type Drill = {
  /** The fault, as docs/reliability.md lists it. */
  title: string;
  /**
   * Injects the fault into a product of its own.
   * @returns the measured values, in a few words
   * @throws if a check fails; `CannotDrill` if this machine lacks something
   */
  run(): Promise<string>;
};

/** The error of a drill that this machine cannot run. */
export class CannotDrill extends Error {}
