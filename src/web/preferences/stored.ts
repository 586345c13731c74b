/** Reads a value of local storage; null if there is none or the browser denies access. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value in local storage, or removes it with null. Does nothing without storage. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A browser without storage works, but remembers nothing.
  }
}
