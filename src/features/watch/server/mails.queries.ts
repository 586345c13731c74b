import { bytea, float8, int4, int8, jsonb, nullable, text, uuid } from '#server/db/column-types.ts';
import { hasCome } from '#server/db/has-come.ts';
import { statement } from '#server/db/statement.ts';
import type { MailContent } from '#server/mail/mail-content.ts';
import { maxPauseSeconds } from '#server/runtime/retry-pause.ts';

/** A mail without the parts that differ by receiver. */
export type WaitingMail = {
  companyCode: string;
  content: Omit<MailContent, 'footer'>;
  /** An attached list, if it has one. */
  fileName: string | null;
  file: Buffer | null;
};

/** Stores a mail for every receiver of its company. @returns the number of receivers */
export const insertMails = statement({
  text: `INSERT INTO watch_mails (company_code, address, content, file_name, file)
     SELECT company_code, address, :content, :fileName, :file FROM watch_receivers
     WHERE company_code = :companyCode AND state = 'active'`,
  params: {
    companyCode: text,
    content: jsonb<WaitingMail['content']>(),
    fileName: nullable(text),
    file: nullable(bytea),
  },
});

/** Stores a mail without an attachment for one address, whatever its state. */
export const insertMailTo = statement({
  text: `INSERT INTO watch_mails (company_code, address, content)
     VALUES (:companyCode, :address, :content)`,
  params: { companyCode: text, address: text, content: jsonb<WaitingMail['content']>() },
});

/** Takes the mail that waits longest. No other process takes it for so many seconds. */
export const takeMail = statement({
  text: `UPDATE watch_mails m SET attempts = attempts + 1, next_at = now() + make_interval(secs => :leaseSeconds)
     FROM watch_receivers r, clients c
     WHERE m.id = (SELECT id FROM watch_mails WHERE ${hasCome('next_at', maxPauseSeconds)} ORDER BY next_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
       AND r.company_code = m.company_code AND r.address = m.address AND c.company_code = m.company_code
     RETURNING m.id, m.company_code, m.address, m.content, m.file_name, m.file, m.attempts, m.message_id, r.token, c.company_name`,
  params: { leaseSeconds: float8 },
  row: {
    id: int8,
    company_code: text,
    address: text,
    content: jsonb<WaitingMail['content']>(),
    file_name: nullable(text),
    file: nullable(bytea),
    attempts: int4,
    message_id: uuid,
    token: uuid,
    company_name: text,
  },
});

export const deleteMail = statement({ text: 'DELETE FROM watch_mails WHERE id = :id', params: { id: int8 } });

export const postponeMail = statement({
  text: 'UPDATE watch_mails SET next_at = now() + make_interval(secs => :seconds), attempts = :attempts WHERE id = :id',
  params: { id: int8, attempts: int4, seconds: float8 },
});
