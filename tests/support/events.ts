import assert from 'node:assert/strict';

type TicketEvent = {
  ticket_number: string;
  status: string;
  done: number;
  failed: number;
  total: number;
};

/** An open stream of server-sent events, read over HTTP. */
export type OpenEvents = {
  status: number;
  headers: Headers;
  /** What has come so far, whole events and comments alone. */
  blocks: string[];
  /** The data of the ticket events that have come so far. */
  tickets: TicketEvent[];
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  close(): void;
};

/** Opens `GET /api/events` of a listening API. */
export async function openEvents(url: string, token: string): Promise<OpenEvents> {
  const closing = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/events`, { headers, signal: closing.signal });
  const blocks: string[] = [];
  const tickets: OpenEvents['tickets'] = [];
  const read = async () => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const block of parts) {
        blocks.push(block);
        const [, data] = /^event: ticket\ndata: (.+)$/.exec(block) ?? [];
        if (data) tickets.push(JSON.parse(data));
      }
    }
    assert.equal(text, '', 'the stream ended within an event');
  };
  if (!response.ok) await response.body?.cancel();
  const ended = (response.ok ? read() : Promise.resolve()).catch((error: Error) => {
    if (!closing.signal.aborted) throw error;
  });
  return {
    status: response.status,
    headers: response.headers,
    blocks,
    tickets,
    ended,
    close: () => closing.abort(),
  };
}
