import { builtInDayFormats, showsDay } from '../days/day-format.ts';
import type { BiffHead } from './biff-head.ts';
import { listRecords, recordType } from './biff-records.ts';
import { readText } from './biff-strings.ts';
import type { ByteSource } from './byte-source.ts';

/** Lists the cell styles of a workbook stream that show a day, by their number. */
export function readDayStyles(stream: ByteSource, head: BiffHead): Set<number> {
  const isDay = new Map([...builtInDayFormats].map((id) => [id, true]));
  const styles = new Set<number>();
  let count = 0;
  for (const record of listRecords(stream, 0)) {
    const { type, data } = record;
    if (type === recordType.format && data.length > 2)
      isDay.set(data.readUInt16LE(0), showsDay(readText(head, record, 2, head.version === 8 ? 2 : 1)));
    if (type === recordType.style && data.length >= 4) {
      if (isDay.get(data.readUInt16LE(2))) styles.add(count);
      count += 1;
    }
  }
  return styles;
}
