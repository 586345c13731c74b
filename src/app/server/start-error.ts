/** The product cannot start for a reason that whoever starts it can mend; the message is one line for them. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
