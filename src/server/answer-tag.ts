import { hash, randomBytes } from 'node:crypto';

/** Tags tell nothing to other processes, which answer in full and give a tag of their own. */
const key = randomBytes(32).toString('base64url');
const signatureLength = 27;

/** Longer ones, of hours with many transactions at once, are not worth carrying. */
const longestSnapshot = 500;

/** What an entity tag says of an answer that somebody has. */
export type AnswerTag = {
  /** The database's snapshot that it was made from; null where it may change without any change in the database. */
  snapshot: string | null;
  /** What its bytes hash to. */
  body: string;
};

/**
 * Writes the ETag of an answer.
 * @param question everything that the answer depends on besides the database
 */
export function writeTag(question: string, { snapshot, body }: AnswerTag): string {
  if (snapshot === null || snapshot.length > longestSnapshot) return `"${body}"`;
  return `"${body}.${sign(question, snapshot)}.${snapshot.replaceAll(',', '_')}"`;
}

/** The tag that an If-None-Match header carries, where this process gave it for the same question; else the body's alone. */
export function readTags(header: string | undefined, question: string): AnswerTag[] {
  return (header ?? '').split(',').flatMap((one) => {
    const [, body, signature, written] =
      /^\s*(?:W\/)?"([\w-]{27})(?:\.([\w-]{27})\.([\d:_]{3,500}))?"\s*$/.exec(one) ?? [];
    if (body === undefined) return [];
    const snapshot = written?.replaceAll('_', ',');
    const isOurs = snapshot !== undefined && signature === sign(question, snapshot);
    return [{ body, snapshot: isOurs ? snapshot : null }];
  });
}

/** What tells the bytes of one answer from those of another. */
export function hashBody(body: Buffer): string {
  return hash('sha1', body, 'base64url');
}

function sign(question: string, snapshot: string): string {
  // Of what SHA-3 hashes behind a key nobody makes more; an HMAC takes ten times as long.
  return hash('sha3-256', `${key}\n${question}\n${snapshot}`, 'base64url').slice(0, signatureLength);
}
