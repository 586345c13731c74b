import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { SheetPreview } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { saveFile } from '#web/browser/save-file.ts';
import { formatNumber } from '#web/format/format.ts';
import '#web/ui/table/plain-table.css';
import { toCsv } from './to-csv.ts';

/** The first invalid cells of a sheet with their reasons, and their download. */
export function InvalidCells({ preview }: { preview: SheetPreview }) {
  const { invalid, invalid_count: all, column } = preview;
  if (invalid.length === 0) return null;
  const rows = invalid.map(({ row, value, reason }) => [`${column}${row}`, value, reason] as const);
  const heads = [m.preview_cell(), m.preview_value(), m.preview_reason()] as const;
  const save = () => {
    const csv = new Blob([toCsv([heads, ...rows])], { type: 'text/csv' });
    saveFile(csv, 'invalid_cells.csv');
  };
  return (
    <div className="stack tight invalid-cells">
      <div className="row between">
        <h3>{m.preview_invalid()}</h3>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          onClick={save}
        >
          {m.preview_invalid_download()}
        </Button>
      </div>
      {all > invalid.length && (
        <p className="dim">{m.preview_invalid_first({ count: formatNumber(invalid.length) })}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={m.preview_invalid()}>
        <table className="plain-table">
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([cell, value, reason]) => (
              <tr key={cell}>
                <td>{cell}</td>
                <td>{value}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
