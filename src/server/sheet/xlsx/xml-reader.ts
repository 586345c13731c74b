import { isUtf8 } from 'node:buffer';
import { SheetError } from '../sheet-error.ts';
import { XmlBytes } from './xml-bytes.ts';
import {
  beginsName,
  exclamation,
  findTagEnd,
  greaterThan,
  isBlank,
  lessThan,
  question,
  skipBlanks,
  slash,
} from './xml-marks.ts';
import { standsAt, type XmlName, XmlScope } from './xml-scope.ts';
import { XmlTag } from './xml-tag.ts';
import type { Part } from './zip-parts.ts';

/** The events of an XML part. Names are those of `XmlName`; an empty-element tag opens and closes. */
export type XmlHandlers = {
  open(name: string, tag: XmlTag): void;
  close(name: string): void;
  /** Text between two places of `bytes`, in UTF-8, as written; decode it with `readText` unless it is `literal` (CDATA). */
  text?(bytes: Buffer, start: number, end: number, literal: boolean): void;
};

/** The longest stretch without a tag, in bytes. */
const maxTokenLength = 1024 * 1024;
const maxDepth = 256;

/**
 * Reads an XML part piece by piece, as bytes: only handlers make strings. Refuses a DTD, long stretches without a tag, deep
 * nesting and malformed XML; every error is thrown by `write` and `end` as a SheetError.
 */
export class XmlReader {
  readonly #maxMarkup: number;
  readonly #handlers: XmlHandlers;
  readonly #input = new XmlBytes();
  readonly #tag = new XmlTag();
  /** The names of the open elements. */
  readonly #open: XmlName[] = [];
  #hasRoot = false;
  #markup = 0;
  /** The next place with a declaration of a namespace, if it is not before the present one. */
  #nextDeclaration = -1;
  /** Holds the incomplete token at the end of the last piece, and then the next piece. */
  #room: Buffer = Buffer.alloc(256 * 1024);
  /** The length of the incomplete token. */
  #rest = 0;

  /** @param maxMarkup the maximum number of elements, comments and instructions; with more, the part counts as a bomb */
  constructor(maxMarkup: number, handlers: XmlHandlers) {
    this.#maxMarkup = maxMarkup;
    this.#handlers = handlers;
  }

  write(piece: Buffer): void {
    const bytes = this.#append(this.#input.toUtf8(piece));
    this.#tag.bytes = bytes;
    this.#nextDeclaration = -1;
    let at = 0;
    for (let next = 0; next >= 0 && at < bytes.length; ) {
      next = this.#readToken(bytes, at);
      if (next >= 0) at = next;
    }
    if (!isUtf8(bytes.subarray(0, at))) throw new SheetError('corrupt', 'XML that is not utf-8');
    this.#rest = bytes.length - at;
    if (this.#rest > maxTokenLength)
      throw new SheetError('bomb', `${maxTokenLength} bytes of XML without a tag`);
    bytes.copyWithin(0, at);
  }

  /** Appends a piece to the incomplete token. @returns both; the next call overwrites them */
  #append(piece: Buffer): Buffer {
    const length = this.#rest + piece.length;
    if (length > this.#room.length) {
      const larger = Buffer.alloc(2 * length);
      this.#room.copy(larger, 0, 0, this.#rest);
      this.#room = larger;
    }
    piece.copy(this.#room, this.#rest);
    return this.#room.subarray(0, length);
  }

  /** @throws SheetError when the root element is not closed */
  end(): void {
    this.#input.end();
    const isWhole =
      this.#hasRoot && this.#open.length === 0 && (this.#rest === 0 || this.#room[0] !== lessThan);
    if (!isWhole) throw new SheetError('corrupt', 'truncated XML');
  }

  /** Reads one token. @returns the place behind it; -1 if it is incomplete */
  #readToken(bytes: Buffer, at: number): number {
    if (bytes[at] !== lessThan) return this.#readText(bytes, at);
    switch (bytes[at + 1]) {
      case undefined:
        return -1;
      case slash:
        return this.#readEndTag(bytes, at + 2);
      case question:
        return this.#skip(bytes, at + 2, '?>');
      case exclamation:
        return this.#readSection(bytes, at);
      default:
        return this.#readStartTag(bytes, at + 1);
    }
  }

  #readText(bytes: Buffer, start: number): number {
    let end = start;
    while (end < bytes.length && bytes[end] !== lessThan) end++;
    if (end === bytes.length) return -1;
    this.#handlers.text?.(bytes, start, end, false);
    return end;
  }

  #readStartTag(bytes: Buffer, start: number): number {
    const end = findTagEnd(bytes, start);
    if (end < 0) return -1;
    if (!beginsName(bytes[start])) throw new SheetError('corrupt', 'a tag without a name');
    this.#count();
    let nameEnd = start;
    let hash = 0;
    for (; nameEnd < end && bytes[nameEnd] !== slash && !isBlank(bytes[nameEnd]); nameEnd++)
      hash = (hash * 31 + (bytes[nameEnd] ?? 0)) | 0;
    this.#tag.set(nameEnd, end);
    const scope = this.#scopeOf(bytes, start, nameEnd, end);
    const name = scope.nameAt(bytes, start, nameEnd, hash);
    if (this.#open.length === maxDepth) throw new SheetError('bomb', `XML nested deeper than ${maxDepth}`);
    this.#open.push(name);
    this.#tag.scope = scope;
    this.#handlers.open(name.name, this.#tag);
    if (bytes[end - 1] === slash) this.#close(name);
    return end + 1;
  }

  #scopeOf(bytes: Buffer, start: number, nameEnd: number, end: number): XmlScope {
    const parent = this.#open.at(-1)?.scope;
    if (!parent) {
      if (this.#hasRoot) throw new SheetError('corrupt', 'XML with two roots');
      this.#hasRoot = true;
      return XmlScope.ofRoot(this.#tag.declarations(), bytes.toString('latin1', start, nameEnd));
    }
    if (this.#nextDeclaration < start) {
      const next = bytes.indexOf('xmlns', start);
      this.#nextDeclaration = next < 0 ? Number.POSITIVE_INFINITY : next;
    }
    return this.#nextDeclaration < end ? parent.with(this.#tag.declarations()) : parent;
  }

  #readEndTag(bytes: Buffer, start: number): number {
    const name = this.#open.at(-1);
    const nameEnd = start + (name?.written.length ?? 0);
    const end = skipBlanks(bytes, nameEnd);
    if (end >= bytes.length) return -1;
    if (!name || !standsAt(bytes, start, name.written) || bytes[end] !== greaterThan)
      throw new SheetError('corrupt', `an element ${name?.written} that is not closed`);
    this.#close(name);
    return end + 1;
  }

  #close({ name }: XmlName): void {
    this.#open.pop();
    this.#handlers.close(name);
  }

  #readSection(bytes: Buffer, at: number): number {
    const start = bytes.toString('latin1', at, at + 9);
    if (start.startsWith('<!--')) return this.#skip(bytes, at + 4, '-->');
    if (start === '<![CDATA[') {
      const end = this.#skip(bytes, at + 9, ']]>');
      if (end >= 0) this.#handlers.text?.(bytes, at + 9, end - 3, true);
      return end;
    }
    if ('<!--'.startsWith(start) || '<![CDATA['.startsWith(start)) return -1;
    throw new SheetError('dtd', 'an XML part with a document type');
  }

  /** Counts a section. @returns the place behind its end; -1 if it is incomplete */
  #skip(bytes: Buffer, from: number, closing: string): number {
    const at = bytes.indexOf(closing, from, 'latin1');
    if (at < 0) return -1;
    this.#count();
    return at + closing.length;
  }

  #count(): void {
    if (++this.#markup > this.#maxMarkup)
      throw new SheetError('bomb', `more than ${this.#maxMarkup} pieces of markup`);
  }
}

/** Reads a whole part. */
export async function readXml(part: Part, handlers: XmlHandlers): Promise<void> {
  const reader = new XmlReader(part.maxMarkup, handlers);
  for await (const piece of part.pieces) reader.write(piece);
  reader.end();
}
