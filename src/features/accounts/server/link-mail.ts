import type { Mail } from '#server/mail/mail.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';

const locales: Locale[] = ['en', 'id'];

type LocalText = (inputs: Record<string, never>, options: { locale: Locale }) => string;

/** Writes a mail with a link, in both languages, as text and as HTML. */
export function writeLinkMail(
  to: Mail['to'],
  link: string,
  texts: Record<'subject' | 'body' | 'ignore', LocalText>,
): Mail {
  const parts = locales.map((locale) => ({
    locale,
    greeting: m.server_mail_greeting({ name: to.name }, { locale }),
    body: texts.body({}, { locale }),
    ignore: texts.ignore({}, { locale }),
  }));
  return {
    to,
    subject: locales.map((locale) => texts.subject({}, { locale })).join(' / '),
    text: parts
      .map(({ greeting, body, ignore }) => [greeting, body, link, ignore].join('\n\n'))
      .join('\n\n----\n\n'),
    html: parts
      .map(
        ({ locale, greeting, body, ignore }) =>
          `<div lang="${locale}"><p>${escapeHtml(greeting)}</p><p>${escapeHtml(body)}</p>` +
          `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p><p>${escapeHtml(ignore)}</p></div>`,
      )
      .join('<hr>'),
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
