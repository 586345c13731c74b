import { m } from '#shared/texts/messages.js';

const largestBytes = 10 * 1024 * 1024;

/** Returns the error of a chosen file (docs/rules.md, Proxies); null when it may be sent. */
export function findFileProblem(file: Pick<File, 'name' | 'type' | 'size'>): string | null {
  const isText = file.type === 'text/plain' || file.name.toLowerCase().endsWith('.txt');
  if (!isText) return m.proxies_wrong_file();
  return file.size > largestBytes ? m.proxies_too_large() : null;
}
