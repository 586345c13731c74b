import { Button } from '@mantine/core';
import {
  type Icon,
  IconCopy,
  IconDownload,
  IconPencil,
  IconRefresh,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { m } from '#shared/texts/messages.js';
import { useSubmit } from '#web/client/submit.ts';
import { formatNumber } from '#web/format/format.ts';
import buttons from '#web/styles/buttons.module.css';
import { copyTexts } from '#web/ui/action/clipboard.ts';
import { IconButton } from '#web/ui/action/icon-button.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { passFocusOn } from '#web/ui/overlay/move-focus.ts';
import styles from './table-selection.module.css';

/** The actions of a table on its selected rows, besides copying their serials. */
export type SelectionActions<T> = {
  download?: (rows: readonly T[]) => void;
  /** Looks serials up again. Rejects with the reason if that cannot begin. */
  checkAgain?: ((serials: string[]) => Promise<void>) | undefined;
  /** Sets an own column. @param clear clears the selection */
  setField?: ((rows: readonly T[], clear: () => void) => void) | undefined;
  forget?: (rows: readonly T[]) => void;
};

/** The most selected rows: one of the largest pages. An address with as many ids fits into a request. */
const maxSelected = 1000;

type Props<T> = {
  selection: Selection<T>;
  serialOf: (row: T) => string;
  actions: SelectionActions<T>;
};

/** The actions on the selected rows, at the foot of the window (`#selection` of the shell), so that no row moves. */
export function SelectionBar<T>({ selection, serialOf, actions }: Props<T>) {
  const { all: rows, clear } = selection;
  const elsewhere = rows.length - selection.here.length;
  const { download, checkAgain, setField, forget } = actions;
  const { busy, submit } = useSubmit({
    send: async () => {
      await checkAgain?.(rows.map(serialOf));
      clear();
    },
    fallback: m.rechecks_device_failed(),
    onError: toast.error,
  });
  const place = document.getElementById('selection');
  if (place === null) return null;
  const draw = (label: string, ButtonIcon: Icon, onClick: () => void, danger = false) => (
    <Button
      size="compact-md"
      variant="default"
      className={danger ? buttons.dangerOutline : undefined}
      leftSection={<ButtonIcon size={16} aria-hidden="true" />}
      disabled={busy}
      onClick={onClick}
    >
      {label}
    </Button>
  );
  return createPortal(
    <section className={styles.selectionBar} aria-label={m.common_selection()}>
      <span role="status">
        {m.common_selected({ count: formatNumber(rows.length) })}
        {elsewhere > 0 && ` (${m.common_selected_elsewhere({ count: formatNumber(elsewhere) })})`}
        {rows.length === maxSelected && `. ${m.common_selected_most()}`}
      </span>
      {download && draw(m.common_download(), IconDownload, () => download(rows))}
      {draw(m.common_copy(), IconCopy, () => void copyTexts(rows.map(serialOf)))}
      {checkAgain &&
        draw(busy ? m.rechecks_running() : m.rechecks_device(), IconRefresh, () => void submit())}
      {setField && draw(m.devices_fields_set_short(), IconPencil, () => setField(rows, clear))}
      {forget && draw(m.devices_forget_short(), IconTrash, () => forget(rows), true)}
      <IconButton ref={passFocusOn} label={m.common_clear_selection()} onPress={clear}>
        <IconX size={16} aria-hidden="true" />
      </IconButton>
    </section>,
    place,
  );
}

export type Selection<T> = ReturnType<typeof useSelection<T>>;

type Options = {
  /** The keys of rows that no longer exist, which ends their selection. */
  gone: readonly string[] | undefined;
  /** Called when rows are selected. */
  onSelect: (() => void) | undefined;
};

/**
 * The selected rows of a table, at most `maxSelected`. They stay selected on other pages.
 * @param page the number of the page with `rows`; a range never crosses pages
 */
export function useSelection<T>(
  rows: readonly T[],
  rowKey: (row: T) => string,
  page: number,
  { gone, onSelect }: Options,
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

  useEffect(() => {
    if (gone) setSelected((before) => new Map([...before].filter(([key]) => !gone.includes(key))));
  }, [gone]);

  const change = useCallback((from: number, to: number, isSelected: boolean) => {
    const { rows: present, rowKey: keyOf } = latest.current;
    setSelected((before) => {
      const next = new Map(before);
      for (const row of present.slice(from, to + 1)) {
        if (!isSelected) next.delete(keyOf(row));
        else if (next.size < maxSelected) next.set(keyOf(row), row);
      }
      return next;
    });
    if (isSelected) latest.current.onSelect?.();
  }, []);
  const here = selected.size === 0 ? [] : rows.filter((row) => selected.has(rowKey(row)));
  const keysHere = new Set(here.map(rowKey));
  return {
    here,
    /** How much of the page is selected. */
    pageState:
      rows.length === 0 ? 'empty' : here.length === 0 ? 'none' : here.length === rows.length ? 'all' : 'some',
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
