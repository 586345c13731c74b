import type { Answer, Endpoint, Input } from '#shared/endpoint.ts';
import { parseJson } from '#shared/parse-json.ts';
import { callHeaders, failureOf, isRenewed, urlOf } from './api-client.ts';
import { readBeginning } from './chosen-file.ts';
import { ApiFailure } from './failure.ts';
import { getSession } from './session.ts';

export type UploadOptions = {
  /** A repeat under the same key gets the first answer. */
  idempotencyKey?: string;
  /** Receives the number of sent bytes, and of all bytes. */
  onBytes?: (sent: number, total: number) => void;
  signal?: AbortSignal;
};

type UploadInput<E extends Endpoint> = Omit<Input<E>, 'form'> & { form: FormData };

/**
 * Sends a form with a file, and sends it again if another tab has renewed the session.
 * @throws ApiFailure with the server's message; AbortError if cancelled
 */
export async function upload<E extends Endpoint & { file: string }>(
  route: E['route'],
  input: UploadInput<E>,
  options: UploadOptions = {},
): Promise<Answer<E>> {
  const { user } = getSession();
  try {
    return await sendForm(route, input, options);
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.status === 0) await requireReadable(input.form);
    if (!isRenewed(failure, user)) throw failure;
    return upload(route, input, options);
  }
}

/** Throws ApiFailure 410 if a file cannot be read any more. The server may have received it before. */
async function requireReadable(form: FormData): Promise<void> {
  for (const part of form.values()) if (part instanceof File) await readBeginning(part, 1);
}

/** Uses XMLHttpRequest, because fetch does not report sent bytes. */
function sendForm<E extends Endpoint & { file: string }>(
  route: E['route'],
  input: UploadInput<E>,
  { idempotencyKey, onBytes, signal }: UploadOptions,
): Promise<Answer<E>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const headers = callHeaders();
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    request.open('POST', urlOf(route, input as object));
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onBytes?.(event.loaded, event.total);
    request.onload = () => {
      const body = parseJson(request.responseText);
      const isSuccess = request.status >= 200 && request.status < 300;
      if (isSuccess && body) resolve(body as Answer<E>);
      // A proxy's page is no answer: the server may have the file.
      else reject(failureOf(isSuccess ? 0 : request.status, body, headers.authorization));
    };
    request.onerror = () => reject(new ApiFailure(0, null));
    request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(input.form);
  });
}
