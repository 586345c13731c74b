import type { Endpoint } from '#shared/endpoint.ts';
import { saveFile } from '#web/browser/save-file.ts';
import { createStore } from '#web/preferences/store.ts';
import { type CallInput, send } from './api-client.ts';

/** Returns the file name of a Content-Disposition header, plain or encoded (RFC 5987). */
function fileNameOf(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1];
  return encoded ? decodeURIComponent(encoded) : (plain ?? 'download');
}

/** A call that answers with a file. */
export type DownloadFile = { route: string; input: Parameters<typeof send>[1] };

/** Returns the file of an endpoint: `fileOf<typeof downloadAudit>('GET /audit/download', { query })`. */
export const fileOf = <E extends Endpoint & { response: 'file' }>(
  route: E['route'],
  input: CallInput<E>,
): DownloadFile => ({ route, input });

type Download = { id: number; received: number; cancel: () => void };

const running = createStore<readonly Download[]>([]);
let lastId = 0;

export const useDownloads = running.useValue;

/** Cancels all downloads, so that the next user of the browser does not get them. */
export function cancelDownloads(): void {
  for (const { cancel } of running.get()) cancel();
}

/**
 * Fetches a file with the session's token and saves it under the server's name. The browser keeps the received bytes in
 * its blob storage, so a large file does not fill the page's memory. The shell shows the download until it ends.
 * @param controller cancels the download
 * @param onBytes receives the number of received bytes
 * @throws ApiFailure with the server's message; AbortError if cancelled
 */
export async function download(
  { route, input }: DownloadFile,
  controller: AbortController,
  onBytes: (received: number) => void,
): Promise<void> {
  lastId += 1;
  const id = lastId;
  running.set([...running.get(), { id, received: 0, cancel: () => controller.abort() }]);
  const onProgress = (received: number) => {
    running.set(running.get().map((each) => (each.id === id ? { ...each, received } : each)));
    onBytes(received);
  };
  try {
    const response = await send(route, input, controller.signal);
    await save(response, onProgress, controller.signal);
  } finally {
    running.set(running.get().filter((each) => each.id !== id));
  }
}

async function save(
  response: Response,
  onBytes: (received: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let received = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        received += chunk.byteLength;
        onBytes(received);
        controller.enqueue(chunk);
      },
    }),
  );
  const file = await new Response(counted ?? null).blob();
  signal.throwIfAborted();
  saveFile(file, fileNameOf(response.headers.get('content-disposition') ?? ''));
}
