import type { z } from 'zod';
import type { Locale } from './locale.ts';

/**
 * Who may call: anyone; a signed-in user even before the first password change; a signed-in user even before a second
 * factor that the role must have is set up; a signed-in user; superadmins only; superadmins and company administrators;
 * everybody but superadmins.
 */
export type Access = 'public' | 'new-user' | 'setting-up' | 'signed-in' | 'superadmin' | 'admin' | 'standard';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call of the API as data. The server validates and documents by it; the web client takes its types from it. */
export type Endpoint = {
  /** The method, and the path below /api with parameters in braces: `GET /tickets/{id}`. */
  route: `${Method} /${string}`;
  access: Access;
  /** The call changes nothing, although its method is not GET: an API token that may only read can make it. */
  changesNothing?: true;
  /** Only for people who signed in: an API token gets 403. */
  sessionOnly?: true;
  /** The message for a standard user who calls an endpoint for superadmins; a general message by default. */
  refusal?: (params: Record<never, never>, options: { locale: Locale }) => string;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The multipart field of a file; the other fields of the form are text. */
  file?: string;
  /** The fields of the form, for the description alone: the handler reads them. */
  form?: z.ZodObject;
  /** The maximum size of a JSON body; by default 1 MB. A body of more than 1 MB counts as an upload. Public calls: 16 KB. */
  maxBodyBytes?: number;
  /** Headers that the handler reads, for the description alone. */
  headers?: z.ZodObject;
  /** The status of success; 200 by default. With 302 the handler leads the browser elsewhere itself; `response` is 'file'. */
  status?: 200 | 201 | 202 | 302;
  /** The shape of the answer; 'file' where a file is streamed. */
  response: z.ZodType | 'file';
  /** The kind of a streamed file that is no workbook, for the description alone. */
  fileKind?: 'pdf';
  /** Statuses of failures beside those that any such call may meet (`failureStatuses` in open-api.ts). */
  failures?: readonly (401 | 404 | 409 | 410 | 415 | 422 | 429)[];
  /**
   * Returns whether a call may keep a core of the database busy for seconds. Such calls wait in a line that is shared
   * fairly, one for reads and one for writes, and then get 429 (src/server/http/heavy-reads.ts).
   */
  heavy?: (query: Record<string, unknown>) => boolean;
  /** The handler of this heavy call only reads, from its `db` alone. It may run on the read replica, and twice. */
  readOnly?: true;
  /**
   * The answer carries an ETag. A call whose If-None-Match still matches gets 304. `without` names fields that the
   * comparison ignores, such as the time of answering.
   */
  tagged?: true | { without: readonly string[] };
};

/** Declares a call of the API and keeps the exact types of its parts. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

/** Returns the method and the path of a call. */
export function splitRoute({ route }: Endpoint): { method: Method; path: string } {
  const [method, path] = route.split(' ') as [Method, string];
  return { method, path };
}

type Part<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E[K] extends z.ZodType
  ? z.output<E[K]>
  : undefined;

export type Params<E extends Endpoint> = Part<E, 'params'>;
export type Query<E extends Endpoint> = Part<E, 'query'>;
export type Body<E extends Endpoint> = Part<E, 'body'>;
export type Answer<E extends Endpoint> = E['response'] extends z.ZodType
  ? z.output<E['response']>
  : undefined;

/** The input of a call for a client: `params` and `body` complete, `query` in any part. */
export type Input<E extends Endpoint> = (E['params'] extends z.ZodType
  ? { params: z.input<E['params']> }
  : unknown) &
  (E['query'] extends z.ZodType ? { query?: { [K in keyof Query<E>]?: Query<E>[K] | undefined } } : unknown) &
  (E['body'] extends z.ZodType ? { body: Body<E> } : unknown) &
  (E['file'] extends string ? { form: unknown } : unknown);
