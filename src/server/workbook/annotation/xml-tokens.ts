import { SheetError } from '../../sheet/sheet-error.ts';
import { XmlBytes } from '../../sheet/xlsx/xml-bytes.ts';

const maxTokenLength = 4 * 1024 * 1024;

/**
 * Splits an XML part that the reader accepted into tokens as written: a tag, comment, instruction or CDATA section, or
 * text between them (maybe in several pieces). All tokens together are the part, in UTF-8 without a byte order mark.
 */
export async function* readTokens(pieces: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const bytes = new XmlBytes();
  let rest = '';
  for await (const piece of pieces) {
    const xml = rest + bytes.decode(piece);
    const tokens: string[] = [];
    let at = 0;
    while (at < xml.length) {
      const end = endOfToken(xml, at);
      if (end < 0) break;
      tokens.push(xml.slice(at, end));
      at = end;
    }
    rest = xml.slice(at);
    if (rest.length > maxTokenLength)
      throw new SheetError('bomb', `markup of more than ${maxTokenLength} bytes`);
    yield tokens;
  }
  bytes.end();
  if (rest !== '') throw new SheetError('corrupt', 'an incomplete tag');
}

/** Returns where the token at `at` ends; -1 if it is not complete. */
function endOfToken(xml: string, at: number): number {
  if (xml.charCodeAt(at) !== 60) {
    const next = xml.indexOf('<', at);
    return next < 0 ? xml.length : next;
  }
  if (xml.startsWith('<!--', at)) return after(xml, '-->', at + 4);
  if (xml.startsWith('<![CDATA[', at)) return after(xml, ']]>', at + 9);
  if (xml.startsWith('<?', at)) return after(xml, '?>', at + 2);
  // Too short to distinguish a comment from a section; no other markup begins like this.
  if (xml.startsWith('<!', at) || at + 1 === xml.length) return -1;
  let quote = 0;
  for (let i = at + 1; i < xml.length; i++) {
    const code = xml.charCodeAt(i);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 34 || code === 39) quote = code;
    else if (code === 62) return i + 1;
  }
  return -1;
}

function after(xml: string, end: string, from: number): number {
  const at = xml.indexOf(end, from);
  return at < 0 ? -1 : at + end.length;
}

/**
 * A tag: `prefix` with its colon, or empty. `name` is the local name in the namespace of the root element, and else has
 * its namespace in braces in front of it, so that it equals no name of ours.
 */
export type Tag = { kind: 'open' | 'close' | 'empty'; prefix: string; name: string };

const tagName = /^<(\/?)(?:([^\s/>:]+:))?([^\s/>:]+)/;

/** Parses the tags of one part, whose tokens it gets in order. */
export class TagParser {
  #root: string | undefined;
  #depth = 0;
  /** The namespaces that open elements declare, by prefix. */
  readonly #scopes: { depth: number; namespaces: Map<string, string> }[] = [];

  /** Parses the next token; undefined unless it is a tag. */
  parse(token: string): Tag | undefined {
    if (token.charCodeAt(0) !== 60) return undefined;
    const [, slash, prefix = '', local = ''] = tagName.exec(token) ?? [];
    if (local === '' || local.startsWith('!') || local.startsWith('?')) return undefined;
    const kind = slash ? 'close' : token.endsWith('/>') ? 'empty' : 'open';
    if (kind !== 'close') this.#open(token);
    const namespace = this.#scopes
      .findLast(({ namespaces }) => namespaces.has(prefix))
      ?.namespaces.get(prefix);
    this.#root ??= namespace ?? '';
    if (kind !== 'open') this.#close();
    const name = (namespace ?? '') === this.#root ? local : `{${namespace ?? ''}}${local}`;
    return { kind, prefix, name };
  }

  #open(tag: string): void {
    this.#depth += 1;
    if (!tag.includes('xmlns')) return;
    const namespaces = new Map<string, string>();
    for (const [, name = '', double, single] of tag.matchAll(attributes)) {
      const prefix = name === 'xmlns' ? '' : name.startsWith('xmlns:') ? `${name.slice(6)}:` : undefined;
      if (prefix !== undefined) namespaces.set(prefix, double ?? single ?? '');
    }
    this.#scopes.push({ depth: this.#depth, namespaces });
  }

  #close(): void {
    if (this.#scopes.at(-1)?.depth === this.#depth) this.#scopes.pop();
    this.#depth -= 1;
  }
}

const attributes = /\s([^\s=/>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Returns the value of an attribute of a tag, as written; undefined without it. */
export function attributeOf(tag: string, name: string): string | undefined {
  for (const [, found, double, single] of tag.matchAll(attributes)) {
    if (found === name) return double ?? single;
  }
  return undefined;
}

/** Returns a tag with another value of an attribute that it has, or without it for undefined. */
export function withAttribute(tag: string, name: string, value: string | undefined): string {
  return tag.replace(attributes, (written, found) =>
    found !== name ? written : value === undefined ? '' : ` ${name}="${value}"`,
  );
}

/** Returns an opening or empty tag as an empty one. */
export function asEmpty(tag: string): string {
  return tag.endsWith('/>') ? tag : `${tag.slice(0, -1)}/>`;
}
