import type { SendMail } from '#server/mail/mail.ts';
import { writeMailBody } from '#server/mail/mail-layout.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { endMail, listWebhookOwners, takeSwitchedOff } from './mails.queries.ts';

/**
 * Tells the owners of a webhook that was switched off after a day of failures. If the mail of no owner could be sent, all are
 * tried again. Otherwise none is, so that no owner gets it twice.
 * @returns whether there was a webhook
 */
export async function sendWebhookMails(
  { db, log, publicUrl }: Pick<Context, 'db' | 'log' | 'publicUrl'>,
  sendMail: SendMail,
): Promise<boolean> {
  const webhook = await takeSwitchedOff.first(db);
  if (!webhook) return false;
  const { id, language: locale, switched_off_at: at } = webhook;
  const { host } = new URL(webhook.url);
  const heading = m.server_webhook_mail_subject({ host }, { locale });
  const body = writeMailBody({
    locale,
    heading,
    paragraphs: [m.server_webhook_mail_text({}, { locale })],
    figures: [[m.server_webhook_mail_address({}, { locale }), webhook.url]],
    links: [{ label: m.server_webhook_mail_link({}, { locale }), url: `${publicUrl}/dashboard/webhooks` }],
  });
  const owners = await listWebhookOwners.all(db, {
    companyCode: webhook.company_code,
    createdBy: webhook.created_by,
  });
  const messageId = `<webhook-${id}-${at.getTime()}@coverdesk>`;
  const sent = [];
  for (const { name, email } of owners) {
    await sendMail({ to: { name, address: email }, subject: heading, ...body, messageId }).then(
      () => sent.push(email),
      (err) => log.error({ err, webhook: id }, 'the mail about a webhook could not be sent'),
    );
  }
  if (sent.length > 0 || owners.length === 0) await endMail.run(db, { id });
  return true;
}
