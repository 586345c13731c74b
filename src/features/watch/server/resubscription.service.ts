import { record } from '#features/audit/server/audit.service.ts';
import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import { insertMailTo, type WaitingMail } from './mails.queries.ts';
import { confirmReceiver, findUnconfirmed, takeUnconfirmed } from './receivers.queries.ts';
import { raiseVersion } from './watch.queries.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const isUuid = (text: string): boolean => uuid.test(text);

/** Stores a mail with a link for each unconfirmed receiver of a company, at most one a week for an address. */
export async function askForConfirmation(
  { publicUrl }: Pick<Context, 'publicUrl'>,
  tx: Queryable,
  companyCode: string,
  locale: Locale,
): Promise<void> {
  for (const { address, confirm_token, company_name: company } of await takeUnconfirmed.all(tx, {
    companyCode,
  })) {
    const content: WaitingMail['content'] = {
      locale,
      heading: m.server_watch_confirm_subject({ company }, { locale }),
      paragraphs: [m.server_watch_confirm_text({ company }, { locale })],
      links: [
        {
          label: m.server_watch_confirm_link({}, { locale }),
          url: `${publicUrl}/subscribe/${confirm_token}`,
        },
      ],
    };
    await insertMailTo.run(tx, { companyCode, address, content });
  }
}

/** @throws AppError 404 for an unknown or used link */
export async function readConfirmation(db: Db, token: string) {
  const receiver = isUuid(token) ? await findUnconfirmed.first(db, { token }) : undefined;
  if (!receiver) {
    throw new AppError(404, 'subscription_not_found', m.server_watch_confirmation_unknown);
  }
  return { address: receiver.address, company_name: receiver.company_name };
}

/** Makes the address of a link a receiver again. Does nothing for an unknown or used link. */
export async function confirmSubscription(db: Db, token: string): Promise<void> {
  if (!isUuid(token)) return;
  await inTransaction(db, async (tx) => {
    const receiver = await findUnconfirmed.first(tx, { token });
    if (!receiver) return;
    const { address, company_code: companyCode } = receiver;
    // In the order of a change of the settings, which locks the watch first.
    await raiseVersion.run(tx, { companyCode });
    if (!(await confirmReceiver(tx, companyCode, address))) return;
    const after = { receiver: address };
    await record(tx, { action: 'watch.subscribe', objectId: companyCode, companyCode, after });
  });
}
