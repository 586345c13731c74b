import { Parser } from 'saxen';
import { asSheetError, SheetError } from '../sheet-error.ts';
import { XmlBytes } from './xml-bytes.ts';
import type { Part } from './zip-parts.ts';

/** The events of an XML part. Names have no prefix; an empty-element tag opens and closes. */
export type XmlHandlers = {
  open(name: string, attributes: () => Record<string, string>): void;
  close(name: string): void;
  /** Text as written; decode it with `decodeText` unless it is `literal` (CDATA). */
  text?(written: string, literal: boolean): void;
};

const longestGap = 1024 * 1024;
const deepest = 256;

/**
 * Parses an XML part piece by piece. Refuses a DTD, long stretches without a tag, deep nesting and malformed XML;
 * every error is thrown by `write` and `end` as a SheetError.
 */
export class XmlReader {
  #bytes = new XmlBytes();
  #parser = new Parser();
  #rest = '';
  #gap = 0;
  #depth = 0;
  #markup = 0;

  /** @param maxMarkup the maximum number of elements, comments and instructions; with more, the part counts as a bomb */
  constructor(maxMarkup: number, handlers: XmlHandlers) {
    const count = () => {
      if (++this.#markup > maxMarkup) throw new SheetError('bomb', `more than ${maxMarkup} pieces of markup`);
    };
    this.#parser
      .on('comment', count)
      .on('question', count)
      .on('openTag', (name, attributes) => {
        count();
        this.#gap = 0;
        if (++this.#depth > deepest) throw new SheetError('bomb', `XML nested deeper than ${deepest}`);
        handlers.open(localName(name), attributes);
      })
      .on('closeTag', (name) => {
        this.#gap = 0;
        this.#depth--;
        handlers.close(localName(name));
      })
      .on('attention', () => {
        throw new SheetError('dtd', 'an XML part with a document type');
      });
    const { text } = handlers;
    if (text) this.#parser.on('text', (written) => text(written, false));
    this.#parser.on('cdata', (written) => {
      count();
      text?.(written, true);
    });
  }

  write(piece: Buffer): void {
    this.#guard(() => {
      const xml = this.#rest + this.#bytes.decode(piece);
      // The parser mistakes a ">" in an attribute for the end of an incomplete tag.
      const cut = xml.lastIndexOf('<');
      this.#rest = cut < 0 ? xml : xml.slice(cut);
      this.#gap += piece.length;
      if (cut > 0) this.#parser.write(xml.slice(0, cut));
      if (this.#gap > longestGap) throw new SheetError('bomb', `${longestGap} bytes of XML without a tag`);
    });
  }

  /** @throws SheetError when the root element is not closed */
  end(): void {
    this.#guard(() => {
      this.#bytes.end();
      this.#parser.write(this.#rest).end();
    });
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw asSheetError(error);
    }
  }
}

/** Parses a whole part. */
export async function readXml(part: Part, handlers: XmlHandlers): Promise<void> {
  const reader = new XmlReader(part.maxMarkup, handlers);
  for await (const piece of part.pieces) reader.write(piece);
  reader.end();
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}
