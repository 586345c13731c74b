import { m } from '#shared/texts/messages.js';
import './figure-table.css';

type Props = {
  /** Names the scrolling region of the table. */
  label: string;
  headers: readonly string[];
  /** The first cell names its row; the key identifies it. */
  rows: readonly { key: string | number; cells: readonly string[] }[];
};

/** The figures of a picture over time as a table, to be unfolded beside it. */
export function FigureTable({ label, headers, rows }: Props) {
  return (
    <details className="figure-table">
      <summary>{m.common_show_table()}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form */}
      <div role="group" aria-label={label} tabIndex={0}>
        <table>
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
      </div>
    </details>
  );
}
