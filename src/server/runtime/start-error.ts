/** The error of a start that the operator can fix. The message has one line per reason. */
export class StartError extends Error {}
