/** A mistake in an entry. `path` leads to it within the entry. */
type Mistake = { path: (string | number)[]; message: string };

/** The parts of an entry that may contain placeholders. */
type Requests = {
  request: {
    url: string;
    query: Record<string, unknown>;
    headers: Record<string, string>;
    json?: unknown;
    form?: Record<string, unknown> | undefined;
  };
  poll?: { url: string } | undefined;
};

/** `{word}`, but not the variable `${NAME}`. All other braces are text. */
const placeholder = /(?<!\$)\{([A-Za-z_][\w-]*)\}/g;

/** Finds unknown placeholders, and requests without the device, which would get every row the same answer. */
export function findPlaceholderMistakes({ request, poll }: Requests): Mistake[] {
  const { url, query, headers, json, form } = request;
  const mistakes = [
    ...findUnknown(url, ['request', 'url'], ['serial']),
    ...findUnknown(query, ['request', 'query'], ['serial']),
    ...findUnknown(headers, ['request', 'headers'], []),
    ...findUnknown(json, ['request', 'json'], ['serial'], ['serial']),
    ...findUnknown(form, ['request', 'form'], ['serial']),
    ...findUnknown(poll?.url, ['poll', 'url'], ['serial', 'id']),
  ];
  const sent = [
    withoutFragment(url),
    ...Object.values(query),
    JSON.stringify(json),
    ...Object.values(form ?? {}),
  ];
  if (!sent.some((text) => names(text, 'serial'))) {
    const message =
      'never names the device: takes {serial} in url, query, json or form; in a header alone it does not count';
    mistakes.push({ path: ['request'], message });
  }
  if (poll && !names(withoutFragment(poll.url), 'id') && !names(withoutFragment(poll.url), 'serial')) {
    mistakes.push({
      path: ['poll', 'url'],
      message: 'takes {id} or {serial}, or every row gets the same answer',
    });
  }
  return mistakes;
}

const names = (text: unknown, name: string) =>
  [...String(text).matchAll(placeholder)].some(([, found]) => found === name);
const withoutFragment = (url: string) => url.replace(/#.*$/, '');

/** Returns the mistakes in a text, or in the values and names of a list or an object. */
function findUnknown(
  value: unknown,
  path: Mistake['path'],
  allowed: string[],
  allowedInNames: string[] = [],
): Mistake[] {
  if (typeof value === 'string') {
    return [...value.matchAll(placeholder)]
      .filter(([, name = '']) => !allowed.includes(name))
      .map(([text]) => ({ path, message: `${text} is ${explain(allowed)}` }));
  }
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findUnknown(item, [...path, index], allowed, allowedInNames));
  }
  return Object.entries(value).flatMap(([name, part]) => [
    ...findUnknown(name, [...path, name], allowedInNames),
    ...findUnknown(part, [...path, name], allowed, allowedInNames),
  ]);
}

function explain(allowed: string[]): string {
  const filled = allowed.map((name) => `{${name}}`).join(' and ');
  return `not a placeholder here, where ${filled === '' ? 'there is none' : `only ${filled} is filled in`}`;
}
