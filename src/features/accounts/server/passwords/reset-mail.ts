import type { Mail } from '#server/mail/mail.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';

const locales: Locale[] = ['en', 'id'];

/** Writes the mail with a reset link, in both languages, as text and as HTML. */
export function writeResetMail(user: { name: string; email: string }, link: string): Mail {
  const parts = locales.map((locale) => ({
    locale,
    greeting: m.server_mail_reset_greeting({ name: user.name }, { locale }),
    body: m.server_mail_reset_body({}, { locale }),
    ignore: m.server_mail_reset_ignore({}, { locale }),
  }));
  return {
    to: { name: user.name, address: user.email },
    subject: locales.map((locale) => m.server_mail_reset_subject({}, { locale })).join(' / '),
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
