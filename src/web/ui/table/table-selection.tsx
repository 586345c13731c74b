import { Button } from '@mantine/core';
import { IconCopy, IconDownload, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { copyCells } from '#web/ui/action/clipboard.ts';
import { toast } from '#web/ui/feedback/toast.tsx';

/** Which of the rows in sight are selected; rows that are gone are not. */
export function useSelection<T>(rows: readonly T[], rowKey: (row: T) => string) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<number | null>(null);
  const chosen = keys.size === 0 ? [] : rows.filter((row) => keys.has(rowKey(row)));

  const change = (touched: readonly T[], selected: boolean) => {
    const next = new Set(chosen.map(rowKey));
    for (const row of touched) {
      if (selected) next.add(rowKey(row));
      else next.delete(rowKey(row));
    }
    setKeys(next);
  };
  return {
    chosen,
    has: (row: T) => keys.has(rowKey(row)),
    /** Selects one row, or with `shift` all from the one before. */
    select: (place: number, selected: boolean, shift: boolean) => {
      const from = shift && last.current !== null ? last.current : place;
      last.current = place;
      change(rows.slice(Math.min(from, place), Math.max(from, place) + 1), selected);
    },
    selectAll: (selected: boolean) => change(rows, selected),
  };
}

/** Copies texts of cells, and says so. */
export async function copyTexts(texts: readonly string[]): Promise<void> {
  try {
    await copyCells(texts);
    toast.success(m.common_copied());
  } catch {
    toast.error(m.common_copy_failed());
  }
}

type Props = {
  count: number;
  onCopy: () => void;
  onDownload: (() => void) | undefined;
  onClear: () => void;
};

/** What can be done with the rows that are selected; under the table, so that no row moves. */
export function SelectionBar({ count, onCopy, onDownload, onClear }: Props) {
  const size = 16;
  const number = formatNumber(count);
  return (
    <div className="table-selection">
      <span role="status">{m.common_selected({ count: number })}</span>
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
