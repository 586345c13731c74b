/** The product cannot start, and the operator can fix the reason; the message is one line for each reason. */
export class StartError extends Error {}
