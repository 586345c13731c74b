import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../random.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { mutateBiff, mutateCompound, readStream } from './mutate-xls.ts';
import { mutateXml } from './mutate-xml.ts';
import { mutateZip, unzip } from './mutate-zip.ts';

/** The structure that was changed. */
type Level = 'bytes' | 'zip' | 'xml' | 'biff' | 'compound';
type Mutate = (others: readonly Buffer[], random: Random) => Buffer;
type Source = { name: string; bytes: Buffer; ways: [level: Level, mutate: Mutate][] };
/** A changed workbook; the same number of the same seed is the same again. */
export type Mutant = { source: string; level: Level; bytes: Buffer };

/** Reads the workbooks of a folder, and finds out what of each can be changed. */
export function readSources(folder: string): Source[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (file) => file.isFile() && !/\.(json|md)$/.test(file.name),
  );
  return files.map(({ name }) => {
    const bytes = readFileSync(join(folder, name));
    return { name, bytes, ways: waysToMutate(bytes) };
  });
}

/** Makes one mutant of any of the workbooks. */
export function makeMutant(sources: readonly Source[], seed: number, number: number): Mutant {
  const random = new Random(Math.imul(seed, 0x9e3779b1) + number);
  const source = random.pick(sources);
  const [level, mutate] = random.pick(source.ways);
  const others = sources.map(({ bytes }) => bytes);
  return { source: source.name, level, bytes: mutate(others, random) };
}

function waysToMutate(bytes: Buffer): Source['ways'] {
  const ways: Source['ways'] = [['bytes', (others, random) => mutateBytes(bytes, others, random)]];
  const magic = bytes.toString('hex', 0, 4);
  if (magic === '504b0304') {
    ways.push(['zip', (_, random) => mutateZip(bytes, random)]);
    const parts = unzip(bytes);
    // Most of what is read is XML.
    const xml: Source['ways'][0] = ['xml', (others, random) => mutateXml(parts ?? new Map(), others, random)];
    if (parts) ways.push(xml, xml, xml);
  }
  if (magic === 'd0cf11e0') {
    ways.push(['compound', (_, random) => mutateCompound(bytes, random)]);
    const stream = readStream(bytes);
    const biff: Source['ways'][0] = [
      'biff',
      (_, random) => mutateBiff(stream ?? { name: '', stream: bytes }, random),
    ];
    if (stream) ways.push(biff, biff, biff);
  }
  return ways;
}
