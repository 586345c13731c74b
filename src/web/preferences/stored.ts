/** A value of local storage; null when there is none or the browser keeps storage closed. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a value in local storage, or removes it with null; without storage it is simply forgotten. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A browser without storage still works, it only remembers nothing.
  }
}
