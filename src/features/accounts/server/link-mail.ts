import type { Mail } from '#server/mail/mail.ts';
import type { Fact } from '#server/mail/mail-content.ts';
import { writeMailBody } from '#server/mail/mail-layout.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';

type LinkTexts = { subject: string; body: string; facts: Fact[]; button: string; ignore: string };

/**
 * Writes a mail with a link, in both languages: nobody knows which one its receiver reads.
 * @param write writes its texts in a language
 */
export function writeLinkMail(to: Mail['to'], url: string, write: (locale: Locale) => LinkTexts): Mail {
  const [english, indonesian] = [write('en'), write('id')];
  const layOut = (locale: Locale, { subject, body, facts, button, ignore }: LinkTexts) => ({
    locale,
    heading: subject,
    paragraphs: [m.server_mail_greeting({ name: to.name }, { locale }), body],
    figures: facts,
    links: [{ label: button, url }],
    footer: { text: ignore },
  });
  return {
    to,
    subject: `${english.subject} / ${indonesian.subject}`,
    ...writeMailBody(layOut('en', english), layOut('id', indonesian)),
  };
}
