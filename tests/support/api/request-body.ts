import { randomBytes } from 'node:crypto';

/** The parts of a request besides its method and path. */
export type Send = {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** One file of a multipart form, and its text fields. */
  file?: { field: string; name: string; content: Buffer | string; type?: string };
  fields?: Record<string, string>;
};

/** Returns the headers and the body of a request. A body that is an object is sent as JSON. */
export function bodyOf(send: Send): { headers: Record<string, string>; payload?: Buffer | string | object } {
  const form = send.file || send.fields ? multipart(send) : undefined;
  return {
    headers: {
      ...(send.token !== undefined && { authorization: `Bearer ${send.token}` }),
      ...form?.headers,
      ...send.headers,
    },
    ...(form ? { payload: form.payload } : send.body !== undefined && { payload: send.body as object }),
  };
}

function multipart({ file, fields = {} }: Send) {
  const boundary = `form${randomBytes(12).toString('hex')}`;
  const parts = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  if (file) {
    const head =
      `--${boundary}\r\ncontent-disposition: form-data; name="${file.field}"; filename="${file.name}"\r\n` +
      `content-type: ${file.type ?? 'application/octet-stream'}\r\n\r\n`;
    parts.push(Buffer.concat([Buffer.from(head), Buffer.from(file.content), Buffer.from('\r\n')]));
  }
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
