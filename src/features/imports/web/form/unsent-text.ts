import { readStored, writeStored } from '#web/preferences/stored.ts';

const key = 'coverdesk.unsent';
/** In characters: 125,000 IMEIs, within the room that browsers give a tab. */
const longest = 2_000_000;

/**
 * Keeps pasted serials in this tab until their user has sent them, also over a reload and the end of the session. Those of
 * another user are dropped, and a longer text is not kept.
 */
export function keepUnsentText(email: string, text: string): void {
  const isKept = text !== '' && text.length <= longest;
  writeStored(key, isKept ? `${email}\n${text}` : null, 'sessionStorage');
}

/** Returns the kept serials of a user, else the empty text. */
export function readUnsentText(email: string): string {
  const kept = readStored(key, 'sessionStorage') ?? '';
  return kept.startsWith(`${email}\n`) ? kept.slice(email.length + 1) : '';
}
