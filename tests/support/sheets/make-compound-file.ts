const endOfChain = 0xfffffffe;
const fatMark = 0xfffffffd;
const difatMark = 0xfffffffc;
const noEntry = 0xffffffff;
const inHeader = 109;

/** A compound file, and the places of its parts. */
export type MadeCompoundFile = {
  bytes: Buffer;
  /** The offset of a sector. */
  at(sector: number): number;
  /** The sectors of the stream, in order. */
  streamSectors: number[];
};

/**
 * Creates a compound file with one stream.
 * @param scattered whether the sectors of the stream are in reverse order
 */
export function makeCompoundFile(
  name: string,
  stream: Buffer,
  { shift = 9, scattered = false }: { shift?: 9 | 12; scattered?: boolean } = {},
): MadeCompoundFile {
  const size = 2 ** shift;
  const perSector = size / 4;
  const dataCount = Math.ceil(stream.length / size);
  let fatCount = 1;
  let difatCount = 0;
  while (fatCount * perSector < 1 + dataCount + fatCount + difatCount) {
    fatCount++;
    difatCount = Math.ceil(Math.max(0, fatCount - inHeader) / (perSector - 1));
  }
  const total = 1 + dataCount + fatCount + difatCount;
  const bytes = Buffer.alloc((total + 1) * size);
  const at = (sector: number) => (sector + 1) * size;
  // Sector 0 is the directory, then come the stream, the table and the list of its sectors.
  const streamSectors = Array.from({ length: dataCount }, (_, n) => 1 + (scattered ? dataCount - 1 - n : n));
  const fatSectors = Array.from({ length: fatCount }, (_, n) => 1 + dataCount + n);
  const difatSectors = Array.from({ length: difatCount }, (_, n) => 1 + dataCount + fatCount + n);

  const setFat = (sector: number, next: number) => {
    const place = fatSectors[Math.floor(sector / perSector)] ?? 0;
    bytes.writeUInt32LE(next, at(place) + (sector % perSector) * 4);
  };
  for (let n = total; n < fatCount * perSector; n++) setFat(n, 0xffffffff);
  setFat(0, endOfChain);
  for (const [n, sector] of streamSectors.entries()) setFat(sector, streamSectors[n + 1] ?? endOfChain);
  for (const sector of fatSectors) setFat(sector, fatMark);
  for (const sector of difatSectors) setFat(sector, difatMark);
  for (const [n, sector] of fatSectors.entries()) {
    const rest = n - inHeader;
    const list = difatSectors[Math.floor(rest / (perSector - 1))] ?? 0;
    bytes.writeUInt32LE(sector, rest < 0 ? 76 + n * 4 : at(list) + (rest % (perSector - 1)) * 4);
  }
  for (const [n, sector] of difatSectors.entries()) {
    bytes.writeUInt32LE(difatSectors[n + 1] ?? endOfChain, at(sector) + (perSector - 1) * 4);
  }
  for (const [n, sector] of streamSectors.entries()) stream.copy(bytes, at(sector), n * size, (n + 1) * size);

  bytes.write('d0cf11e0a1b11ae1', 'hex');
  bytes.writeUInt16LE(0x3e, 24);
  bytes.writeUInt16LE(shift === 9 ? 3 : 4, 26);
  bytes.writeUInt16LE(0xfffe, 28);
  bytes.writeUInt16LE(shift, 30);
  bytes.writeUInt16LE(6, 32);
  bytes.writeUInt32LE(fatCount, 44);
  bytes.writeUInt32LE(0, 48);
  bytes.writeUInt32LE(4096, 56);
  bytes.writeUInt32LE(endOfChain, 60);
  bytes.writeUInt32LE(difatSectors[0] ?? endOfChain, 68);
  bytes.writeUInt32LE(difatCount, 72);
  writeEntry(bytes, at(0), { name: 'Root Entry', type: 5, child: 1, start: endOfChain, size: 0 });
  writeEntry(bytes, at(0) + 128, {
    name,
    type: 2,
    child: noEntry,
    start: streamSectors[0] ?? endOfChain,
    size: stream.length,
  });
  return { bytes, at, streamSectors };
}

function writeEntry(
  bytes: Buffer,
  at: number,
  {
    name,
    type,
    child,
    start,
    size,
  }: { name: string; type: number; child: number; start: number; size: number },
): void {
  bytes.write(name, at, 'utf16le');
  bytes.writeUInt16LE((name.length + 1) * 2, at + 64);
  bytes.writeUInt8(type, at + 66);
  bytes.writeUInt32LE(noEntry, at + 68);
  bytes.writeUInt32LE(noEntry, at + 72);
  bytes.writeUInt32LE(child, at + 76);
  bytes.writeUInt32LE(start, at + 116);
  bytes.writeUInt32LE(size, at + 120);
}
