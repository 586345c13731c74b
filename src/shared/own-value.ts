/** Returns a record's own value for a text from outside; never one of `Object.prototype`, such as that of `constructor`. */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
