import type { Endpoint, Input } from '#shared/endpoint.ts';
import { type RouteOf, send } from './api-client.ts';

/** The file's name as the server gave it, plain or RFC 5987. */
function fileNameOf(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1];
  return encoded ? decodeURIComponent(encoded) : (plain ?? 'download');
}

/**
 * Fetches a file with the session's token and saves it under the server's name. The browser keeps what arrives in
 * its own blob storage, so a large file does not fill the page's memory.
 * @param onBytes how many bytes have arrived
 * @throws ApiFailure with the server's words
 */
export async function download<E extends Endpoint & { response: 'file' }>(
  route: RouteOf<E>,
  input: Input<E>,
  { onBytes, signal }: { onBytes?: (received: number) => void; signal?: AbortSignal } = {},
): Promise<void> {
  const response = await send(route, input as object, signal);
  let received = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        received += chunk.byteLength;
        onBytes?.(received);
        controller.enqueue(chunk);
      },
    }),
  );
  const file = await new Response(counted ?? null).blob();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = fileNameOf(response.headers.get('content-disposition') ?? '');
  link.click();
  // The browser has taken the file over by the next turn of its loop at the latest; a second is ample.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
