import { cutCellText } from '../cell-text.ts';
import { decodeEscapes, extendText } from './xml-text.ts';

/**
 * Collects the text of a cell or shared string: the `t` elements of all its runs, without phonetic hints (`rPh`). Pass
 * it the events of everything inside the element.
 */
export class TextRun {
  #text = '';
  #listening = false;
  #phonetic = false;

  start(): void {
    this.#text = '';
    this.#listening = false;
    this.#phonetic = false;
  }

  open(name: string): void {
    if (name === 't') this.#listening = !this.#phonetic;
    else if (name === 'rPh') this.#phonetic = true;
  }

  close(name: string): void {
    if (name === 't') this.#listening = false;
    else if (name === 'rPh') this.#phonetic = false;
  }

  /** Takes text as `XmlHandlers.text` does. */
  add(bytes: Buffer, start: number, end: number, literal: boolean): void {
    if (this.#listening) this.#text = extendText(this.#text, bytes, start, end, literal);
  }

  /** Returns the text, truncated to Excel's limit. */
  finish(): string {
    return decodeEscapes(cutCellText(this.#text));
  }
}
