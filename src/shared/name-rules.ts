/** Returns whether a name is one line. Mails to strangers begin with it, so it must not add lines to them. */
export const isOneLine = (name: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);

/** Endings that mail programs turn into links. Degrees such as `S.Kom` are none. */
const endings =
  'com|net|org|info|io|co|id|me|app|dev|xyz|top|site|online|shop|store|biz|link|click|example|test';
const address = new RegExp(`://|\\bwww\\.|@|[\\p{L}\\d-]{2,}\\.(?:${endings})\\b|\\.\\p{L}{2,}/`, 'iu');

/** Returns whether a name has no address of the web or of mail, which a mail to a stranger would show as a link. */
export const hasNoAddress = (name: string): boolean => !address.test(name);
