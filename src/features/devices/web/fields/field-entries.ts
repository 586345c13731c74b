import { foldHead } from '#features/devices/fields.shared.ts';
import type { OwnField } from './fields.api.ts';

/** A column in the form. Its id stays the same when it is moved or gets its key. */
type Entry = OwnField & { id: string };

export const unnamed: OwnField = { key: '', name: '' };

let lastId = 0;

/** Returns a column for the form. The id of one without a key is a number, which is never a key. */
export function toEntry(field: OwnField): Entry {
  lastId += 1;
  return { ...field, id: field.key || String(lastId) };
}

/** Returns the stored columns for the form; one to be named if there are none. */
export function toEntries(stored: readonly OwnField[]): Entry[] {
  return (stored.length > 0 ? stored : [unnamed]).map(toEntry);
}

/**
 * Merges a colleague's changes into edited columns. A name that was edited stays, also if the colleague has removed its
 * column. The other columns become as stored: renamed, gone, or added at the end. Columns that were removed here stay
 * removed, and the order stays as it is here. A new column whose name is stored by now is that column.
 * @param base the stored columns before the edits
 */
export function mergeEntries(
  entries: readonly Entry[],
  base: readonly OwnField[],
  stored: readonly OwnField[],
): Entry[] {
  const added = stored.filter(({ key }) => !findKey(base, key) && !findKey(entries, key));
  const merged = entries.flatMap((entry): Entry | [] => {
    if (entry.key === '') {
      const same = added.find(({ name }) => foldHead(name) === foldHead(entry.name));
      return { ...entry, key: same?.key ?? '' };
    }
    if (entry.name !== findKey(base, entry.key)?.name) return entry;
    const now = findKey(stored, entry.key);
    return now ? { ...entry, name: now.name } : [];
  });
  return [...merged, ...added.filter(({ key }) => !findKey(merged, key)).map(toEntry)];
}

const findKey = (fields: readonly OwnField[], sought: string) => fields.find(({ key }) => key === sought);
