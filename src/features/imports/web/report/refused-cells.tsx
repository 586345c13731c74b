import { m } from '#shared/texts/messages.js';
import styles from '../upload-page.module.css';

/** Why no cell of a sheet is a serial number: the first of them. */
export function RefusedCells({ cells }: { cells: readonly { path: string; message: string }[] }) {
  if (cells.length === 0) return null;
  return (
    <ul className={styles.refusedCells}>
      {cells.map(({ path, message }) => (
        <li key={path}>{`${namePlace(path)} · ${message}`}</li>
      ))}
    </ul>
  );
}

/** A cell of a sheet by its name; an entry of a list (`serials.0`) by its number, from 1 on. */
function namePlace(path: string): string {
  const [, index] = /^serials\.(\d+)$/.exec(path) ?? [];
  return index === undefined ? path : m.data_paste_entry({ number: String(Number(index) + 1) });
}
