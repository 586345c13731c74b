import { SheetError } from '../sheet-error.ts';

const blockBytes = 4 * 1024 * 1024;
/** More strings than the largest workbook within the upload limit can refer to. */
export const maxStrings = 16_777_216;
const lengthBytes = 4;

/** Texts by index, packed as UTF-8, which takes a fraction of the memory of string objects. */
export class StringStore {
  #blocks: Buffer[] = [];
  #used = blockBytes;
  /** The offset of each text over all blocks; 0 means the empty text. */
  #offsets = new Uint32Array(1024);
  #count = 0;

  /** Appends a text with the next index. */
  add(text: string): void {
    if (text === '') {
      this.#addOffset(0);
      return;
    }
    const most = lengthBytes + text.length * 3;
    let block = this.#blocks.at(-1);
    if (!block || this.#used + most > blockBytes) {
      block = Buffer.allocUnsafeSlow(blockBytes);
      this.#blocks.push(block);
      // No text begins at offset 0.
      this.#used = this.#blocks.length === 1 ? lengthBytes : 0;
    }
    const written = block.write(text, this.#used + lengthBytes);
    block.writeUInt32LE(written, this.#used);
    this.#addOffset((this.#blocks.length - 1) * blockBytes + this.#used);
    this.#used += lengthBytes + written;
  }

  /** Returns the text with an index; undefined when there is none. */
  get(index: number): string | undefined {
    if (index >= this.#count) return undefined;
    const offset = this.#offsets[index] ?? 0;
    if (offset === 0) return '';
    const block = this.#blocks[Math.floor(offset / blockBytes)];
    const start = (offset % blockBytes) + lengthBytes;
    return block?.toString('utf8', start, start + block.readUInt32LE(start - lengthBytes));
  }

  #addOffset(offset: number): void {
    if (this.#count === this.#offsets.length) {
      if (this.#count === maxStrings) throw new SheetError('bomb', 'too many shared strings');
      const larger = new Uint32Array(this.#count * 2);
      larger.set(this.#offsets);
      this.#offsets = larger;
    }
    this.#offsets[this.#count++] = offset;
  }
}
