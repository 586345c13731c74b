/** Reads exact numbers of bytes from a stream of chunks. */
export class ByteReader {
  readonly #input: AsyncIterator<Buffer>;
  #waiting: Buffer[] = [];
  #bytes = 0;

  constructor(input: AsyncIterable<Buffer>) {
    this.#input = input[Symbol.asyncIterator]();
  }

  /** Reads so many bytes, or fewer at the end of the stream. */
  async read(bytes: number): Promise<Buffer> {
    while (this.#bytes < bytes) {
      const { value, done } = await this.#input.next();
      if (done) break;
      this.#waiting.push(value);
      this.#bytes += value.length;
    }
    const all =
      this.#waiting.length === 1 && this.#waiting[0] ? this.#waiting[0] : Buffer.concat(this.#waiting);
    const read = all.subarray(0, bytes);
    const rest = all.subarray(bytes);
    this.#waiting = rest.length > 0 ? [rest] : [];
    this.#bytes = rest.length;
    return read;
  }
}
