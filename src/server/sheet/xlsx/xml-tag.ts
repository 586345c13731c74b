import { SheetError } from '../sheet-error.ts';
import { apostrophe, equals, isBlank, quotation, skipBlanks, slash } from './xml-marks.ts';
import { standsAt, type XmlScope } from './xml-scope.ts';
import { decodeText } from './xml-text.ts';

/** The start tag of an element. Valid until its handler returns. Its attributes are read on request only. */
export class XmlTag {
  bytes: Buffer = Buffer.alloc(0);
  scope: XmlScope | undefined;
  /** The value that `find` found. */
  valueStart = 0;
  valueEnd = 0;
  /** The places of the attributes. */
  #start = 0;
  #end = 0;
  #nameStart = 0;
  #nameEnd = 0;

  /** @param start the place behind the name; `end` that of the ">" */
  set(start: number, end: number): void {
    this.#start = start;
    this.#end = this.bytes[end - 1] === slash ? end - 1 : end;
    this.#rewind();
  }

  /** Finds an attribute without a prefix. @throws SheetError for malformed attributes */
  find(name: string): boolean {
    this.#rewind();
    while (this.#next()) {
      const isLong = this.#nameEnd - this.#nameStart === name.length;
      if (isLong && standsAt(this.bytes, this.#nameStart, name)) return true;
    }
    return false;
  }

  /** Returns the value of an attribute without a prefix. @throws SheetError for malformed attributes */
  attribute(name: string): string | undefined {
    return this.find(name) ? this.#value() : undefined;
  }

  /** Returns all attributes, by their names as in `XmlScope.attributeName`. @throws SheetError for malformed attributes */
  attributes(): Map<string, string> {
    const found = new Map<string, string>();
    this.#rewind();
    while (this.#next()) found.set(this.scope?.attributeName(this.#name()) ?? this.#name(), this.#value());
    return found;
  }

  /** Returns the namespaces that the tag declares by prefix, '' for the default one. */
  declarations(): Map<string, string> {
    const found = new Map<string, string>();
    this.#rewind();
    while (this.#next()) {
      const declaration = /^xmlns(?::(.+))?$/.exec(this.#name());
      if (declaration) found.set(declaration[1] ?? '', this.#value());
    }
    return found;
  }

  #rewind(): void {
    this.valueEnd = this.#start - 1;
  }

  /** Moves to the next attribute. @returns false behind the last one */
  #next(): boolean {
    const { bytes } = this;
    const end = this.#end;
    const start = skipBlanks(bytes, this.valueEnd + 1);
    if (start >= end) return false;
    let at = start;
    while (at < end && bytes[at] !== equals && !isBlank(bytes[at])) at++;
    this.#nameStart = start;
    this.#nameEnd = at;
    at = skipBlanks(bytes, at);
    if (bytes[at] !== equals) throw malformed();
    at = skipBlanks(bytes, at + 1);
    const quote = bytes[at];
    if (quote !== quotation && quote !== apostrophe) throw malformed();
    this.valueStart = ++at;
    while (at < end && bytes[at] !== quote) at++;
    if (at >= end) throw malformed();
    this.valueEnd = at;
    return true;
  }

  #name(): string {
    return this.bytes.toString('latin1', this.#nameStart, this.#nameEnd);
  }

  #value(): string {
    return decodeText(this.bytes.toString('utf8', this.valueStart, this.valueEnd));
  }
}

function malformed(): SheetError {
  return new SheetError('corrupt', 'a tag with a malformed attribute');
}
