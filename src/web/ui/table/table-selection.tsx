import { Button } from '@mantine/core';
import { IconCopy, IconDownload, IconX } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';

type Props = {
  count: number;
  /** How many of them are not on the page in sight. */
  elsewhere: number;
  onCopy: () => void;
  onDownload: (() => void) | undefined;
  onClear: () => void;
};

/** The actions on the selected rows. It is below the table, so that no row moves. */
export function SelectionBar({ count, elsewhere, onCopy, onDownload, onClear }: Props) {
  const size = 16;
  const number = formatNumber(count);
  return (
    <div className="table-selection">
      <span role="status">
        {m.common_selected({ count: number })}
        {elsewhere > 0 && ` (${m.common_selected_elsewhere({ count: formatNumber(elsewhere) })})`}
      </span>
      <Button
        size="compact-md"
        variant="default"
        leftSection={<IconCopy size={size} aria-hidden="true" />}
        onClick={onCopy}
      >
        {m.common_copy_serials({ count, number })}
      </Button>
      {onDownload && (
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconDownload size={size} aria-hidden="true" />}
          onClick={onDownload}
        >
          {m.common_download_rows({ count, number })}
        </Button>
      )}
      <Button
        size="compact-md"
        variant="subtle"
        leftSection={<IconX size={size} aria-hidden="true" />}
        onClick={onClear}
      >
        {m.common_clear_selection()}
      </Button>
    </div>
  );
}

/**
 * The selected rows of a table. They stay selected on other pages.
 * @param page the number of the page with `rows`; a range never crosses pages
 * @param onSelect called when rows are selected
 */
export function useSelection<T>(
  rows: readonly T[],
  rowKey: (row: T) => string,
  page: number,
  onSelect?: () => void,
) {
  const [selected, setSelected] = useState<ReadonlyMap<string, T>>(new Map());
  /** The key of the row that a range begins with. */
  const anchor = useRef<string>(null);
  const latest = useRef({ rows, rowKey, onSelect });
  latest.current = { rows, rowKey, onSelect };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the turn of the page is the cause
  useEffect(() => {
    anchor.current = null;
  }, [page]);

  const change = useCallback((from: number, to: number, isSelected: boolean) => {
    const { rows: present, rowKey: keyOf } = latest.current;
    setSelected((before) => {
      const next = new Map(before);
      for (const row of present.slice(from, to + 1)) {
        if (isSelected) next.set(keyOf(row), row);
        else next.delete(keyOf(row));
      }
      return next;
    });
    if (isSelected) latest.current.onSelect?.();
  }, []);
  const here = selected.size === 0 ? [] : rows.filter((row) => selected.has(rowKey(row)));
  const keysHere = new Set(here.map(rowKey));
  return {
    here,
    /** All selected rows, those of other pages first. */
    all: [...[...selected].flatMap(([key, row]) => (keysHere.has(key) ? [] : [row])), ...here],
    has: (row: T) => selected.has(rowKey(row)),
    /** Selects a row, or with `shift` all rows from the one before. */
    select: useCallback(
      (indexOnPage: number, isSelected: boolean, shift: boolean) => {
        const keys = latest.current.rows.map(latest.current.rowKey);
        const begin = shift && anchor.current !== null ? keys.indexOf(anchor.current) : -1;
        const from = begin < 0 ? indexOnPage : begin;
        anchor.current = keys[indexOnPage] ?? null;
        change(Math.min(from, indexOnPage), Math.max(from, indexOnPage), isSelected);
      },
      [change],
    ),
    selectPage: (isSelected: boolean) => change(0, rows.length - 1, isSelected),
    clear: () => setSelected(new Map()),
  };
}
