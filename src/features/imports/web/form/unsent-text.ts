/** The serials that a user had pasted but not sent when the session ended. */
let unsent: { email: string; text: string } | null = null;

/** Keeps pasted serials in this tab, until their user signs in again. */
export function keepUnsentText(email: string, text: string): void {
  unsent = text === '' ? null : { email, text };
}

/** Returns the kept serials of a user once, else the empty text. Those of another user are dropped. */
export function takeUnsentText(email: string): string {
  const text = unsent?.email === email ? unsent.text : '';
  unsent = null;
  return text;
}
