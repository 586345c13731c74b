import type { ReactNode } from 'react';
import styles from './plain-table.module.css';
import { ScrollRegion } from './scroll-region.tsx';

type Props = {
  label: string;
  headers: readonly string[];
  /** The first cell names its row; the key identifies it. */
  rows: readonly { key: string | number; cells: readonly ReactNode[] }[];
  /** Keeps each cell in one line: a wide table scrolls. On phones each row is a list of its cells. */
  oneLine?: true;
};

/** Its roles are explicit, because blocks, which its parts are on phones, have none. */
export function PlainTable({ label, headers, rows, oneLine }: Props) {
  return (
    <ScrollRegion label={label}>
      <table role="table" className={oneLine ? `${styles.plainTable} ${styles.oneLine}` : styles.plainTable}>
        <thead role="rowgroup">
          <tr role="row">
            {headers.map((header) => (
              <th key={header} role="columnheader" scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(({ key, cells: [name, ...values] }) => (
            <tr key={key} role="row">
              <th role="rowheader" scope="row">
                {name}
              </th>
              {values.map((value, index) => (
                <td key={headers[index + 1]} role="cell" data-head={headers[index + 1]}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
