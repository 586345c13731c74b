import { isUnanswered } from '#web/client/failure.ts';
import { getSession, noteRefusal } from '#web/client/session.ts';

/** Longer than a server works on a change after its connection was lost, and than screens wait between two polls. */
const refusalMs = 120_000;

/**
 * Sends a change that makes the server refuse the session's token, perhaps before the answer with its successor arrives.
 * @param notice the reason that sign-in shows if the answer is lost
 */
export async function sendReplacingToken<T>(notice: () => string, send: () => Promise<T>): Promise<T> {
  noteRefusal(notice);
  try {
    return await send();
  } catch (failure) {
    if (!isUnanswered(failure)) noteRefusal(null);
    // A session that is not refused by then was not changed.
    setTimeout(() => getSession().notice === notice && noteRefusal(null), refusalMs);
    throw failure;
  }
}
