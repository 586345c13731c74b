import type { ReactNode } from 'react';
import styles from './plain-table.module.css';
import { ScrollRegion } from './scroll-region.tsx';

type Props = {
  label: string;
  headers: readonly string[];
  /** The first cell names its row; the key identifies it. */
  rows: readonly { key: string | number; cells: readonly ReactNode[] }[];
  /** Keeps each cell in one line: a wide table scrolls. */
  oneLine?: true;
};

export function PlainTable({ label, headers, rows, oneLine }: Props) {
  return (
    <ScrollRegion label={label}>
      <table className={oneLine ? `${styles.plainTable} ${styles.oneLine}` : styles.plainTable}>
        <thead>
          <tr>
            {headers.map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [name, ...values] }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={headers[index + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
