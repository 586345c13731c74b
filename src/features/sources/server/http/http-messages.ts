import type { Dispatcher } from 'undici';

export type HttpRequest = {
  method: Dispatcher.HttpMethod;
  /** `https://host:port` */
  origin: string;
  /** Path and query, percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
};

export type HttpResponse = {
  status: number;
  /** Names in lower case. Repeated headers are joined by commas. */
  headers: Record<string, string>;
  body: string;
};
