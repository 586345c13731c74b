import type { buildConnector, Client } from 'undici';

export type HttpRequest = {
  method: string;
  /** `https://host:port` */
  origin: string;
  /** Path and query, percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
};

export type HttpResponse = {
  status: number;
  /** Names in lower case; a header that came several times, joined by commas. */
  headers: Record<string, string>;
  body: string;
};

export type Controller = { abort(reason: Error): void };

/** What a request's sender is told, in this order; `onResponseError` at any time in place of the rest. */
export type ResponseHandler = {
  /** The request is about to be written. `abort` ends the exchange, from now on. */
  onRequestStart(controller: Controller): void;
  /** Headers as in `HttpResponse`; several answers may share them. */
  onResponseStart(controller: Controller, status: number, headers: HttpResponse['headers']): void;
  onResponseData(controller: Controller, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(controller: Controller, error: Error): void;
};

/** One connection to one origin, with one request at a time; it is opened again whenever it has been closed. */
export type HttpClient = {
  dispatch(request: HttpRequest, handler: ResponseHandler): void;
  /** Closes it when its request is over. */
  close(): Promise<void>;
  /** Ends the request and the connection. */
  destroy(): Promise<void>;
};

export type HttpClientOptions = Client.Options & { connect: buildConnector.connector };
