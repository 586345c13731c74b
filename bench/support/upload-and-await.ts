import { callApi, type Session, uploadWorkbook } from '../../tests/support/client.ts';
import { makeWorkbook } from '../../tests/support/make-workbook.ts';
import { waitFor } from '../../tests/support/wait.ts';

const patience = 300_000;

/** Uploads serials and waits until every one has an outcome. @returns the ticket's number */
export async function uploadAndAwait(session: Session, serials: string[]): Promise<string> {
  const { ticket } = await uploadWorkbook(session, new Uint8Array(makeWorkbook(serials)));
  const number = ticket.ticket_number;
  const isOver = async () => {
    const path = `/tickets/progress?ticket_number=${number}`;
    return (await callApi<{ status: string }>(session, 'GET', path)).status === 'Completed';
  };
  await waitFor(`the end of ticket ${number}`, isOver, patience);
  return number;
}
