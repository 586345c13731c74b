/** Control characters, line ends, and characters that turn the direction of the text behind them. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;
/** A text that shows nothing: spaces and invisible characters alone. */
const invisible = /^[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+$/u;

/** Replaces control characters, so that a text is one line in which each character stands where it is read. */
export const replaceControls = (text: string, by: string) => text.replaceAll(controls, by);

/**
 * Returns whether a name is one visible line. Mails to strangers begin with it, so it must not add lines to them, and it
 * must not be taken for another one.
 */
export const isPlainName = (name: string): boolean =>
  replaceControls(name, '') === name && !invisible.test(name);

const address = /:\/\/|@|\bwww\.|\.\p{L}{2,}\//iu;
/**
 * Words with a dot between them, which mail programs turn into links. Only looked for at the beginning of a word, because
 * the end of a long one would otherwise be looked for from each of its letters.
 */
const dotted = /(?<![\p{L}\d-])([\p{L}\d-]+)\.(?=(\p{L}[\p{L}\d-]+))/gu;
/** Beginnings such as `Drs.Budi`. Shorter ones need no list. */
const titles = /^(?:\p{L}{1,2}|abd|amd|apt|dra|drg|drs|moh|mohd|muh|prof)$/iu;
/** Ends of degrees such as `s.kom`, and titles after titles; no addresses end with them. */
const degrees = /^(?:ak|dr|drs|dra|eng|hum|ikom|keb|ked|kep|kes|kom|pd|psi|sos|stat)$/iu;
/**
 * Endings of addresses for names in capitals: long ones, which are no degrees, and those of link shorteners. Other short ones
 * pass, because names such as `A.Id` end so.
 */
const endings =
  /^(?:app|biz|co|com|dev|gg|info|io|link|ly|me|net|online|org|ru|shop|site|store|to|top|xyz)$/iu;

/**
 * Returns whether a name has no address of the web or of mail, which a mail to a stranger would show as a link. Titles
 * and degrees with capitals are none, also without a space.
 */
export function hasNoAddress(name: string): boolean {
  if (address.test(name)) return false;
  return [...name.matchAll(dotted)].every(
    ([, before = '', after = '']) =>
      degrees.test(after) || (titles.test(before) && !/^\p{Ll}/u.test(after) && !endings.test(after)),
  );
}
