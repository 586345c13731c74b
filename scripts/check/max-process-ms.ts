/** Milliseconds, far more than any test process needs: a process that hangs fails and does not block the others. */
export const maxProcessMs = 900_000;
