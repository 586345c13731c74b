/** Local storage is that of the browser, session storage that of one tab. */
type Storage = 'localStorage' | 'sessionStorage';

/** Reads a stored value; null if there is none or the browser denies access. */
export function readStored(key: string, storage: Storage = 'localStorage'): string | null {
  try {
    return globalThis[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value, or removes it with null. Does nothing without storage. */
export function writeStored(key: string, value: string | null, storage: Storage = 'localStorage'): void {
  try {
    if (value === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, value);
  } catch {
    // A browser without storage works, but remembers nothing.
  }
}
