import { AppError, type Text } from '#server/http/errors/errors.ts';
import type { Locale } from '#shared/locale.ts';

type Texts = Record<Locale, string>;

/** An error as data for another thread. A cloned error would lose its class and its texts. */
export type ThreadError =
  | {
      kind: 'app';
      status: number;
      code: string;
      texts: Texts;
      details?: { path: string; texts: Texts }[];
      retryAfterSeconds?: number;
    }
  | {
      kind: 'unexpected';
      name: string;
      message: string;
      stack: string | undefined;
      code: string | undefined;
    };

/** Converts an error to data. */
export function packError(error: unknown): ThreadError {
  if (error instanceof AppError) {
    const { status, code, text, details, retryAfterSeconds } = error;
    return {
      kind: 'app',
      status,
      code,
      texts: writeAll(text),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(details && { details: details.map(({ path, message }) => ({ path, texts: writeAll(message) })) }),
    };
  }
  if (!(error instanceof Error)) {
    return { kind: 'unexpected', name: 'Error', message: String(error), stack: undefined, code: undefined };
  }
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  return { kind: 'unexpected', name, message, stack, code: typeof code === 'string' ? code : undefined };
}

/** Converts data back to an error: an AppError if it was one, otherwise an Error. */
export function unpackError(sent: ThreadError): Error {
  if (sent.kind === 'app') {
    const { status, code, texts, details, retryAfterSeconds } = sent;
    return new AppError(status, code, (_, { locale }) => texts[locale], {
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(details && {
        details: details.map((detail) => ({
          path: detail.path,
          message: (_, { locale }) => detail.texts[locale],
        })),
      }),
    });
  }
  const error = new Error(sent.message);
  return Object.assign(error, {
    name: sent.name,
    stack: sent.stack ?? error.stack,
    ...(sent.code && { code: sent.code }),
  });
}

const writeAll = (text: Text): Texts => ({ en: text({}, { locale: 'en' }), id: text({}, { locale: 'id' }) });
