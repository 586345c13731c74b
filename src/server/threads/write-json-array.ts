/** Writes the bytes of a JSON array, one line per element, as the elements are read. */
export async function* writeJsonArray(batches: AsyncIterable<unknown[]>): AsyncGenerator<Uint8Array> {
  let before = '[';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield Buffer.from(`${before}\n${batch.map((element) => JSON.stringify(element)).join(',\n')}`);
    before = ',';
  }
  yield Buffer.from(before === '[' ? '[]\n' : '\n]\n');
}
