import type { RefObject } from 'react';
import { isElsewhere, useWindowKeys } from '#web/browser/keyboard.ts';

type Keys = {
  /** Opens the row that has the focus. */
  open: ((place: number) => void) | undefined;
  /** Copies the selected rows, else the focused row. */
  copy: ((place: number | null) => void) | undefined;
  select: ((place: number) => void) | undefined;
};

const rowsOf = (table: HTMLElement) => [...table.querySelectorAll<HTMLElement>('tbody > tr[aria-rowindex]')];

/**
 * Keys for the first table on the screen: j and k move through the rows, Enter opens one, c copies, x selects. The row
 * itself gets the focus, so that screen readers read it.
 */
export function useTableKeys(frame: RefObject<HTMLElement | null>, { open, copy, select }: Keys): void {
  useWindowKeys((event) => {
    const table = frame.current;
    if (table === null || isElsewhere(event) || document.querySelector('.table-frame') !== table) return;
    const rows = rowsOf(table);
    const focused = document.activeElement;
    const place = rows.indexOf(focused as HTMLElement);
    const go = (to: number) => {
      const row = rows[Math.max(0, Math.min(to, rows.length - 1))];
      if (!row) return;
      row.tabIndex = -1;
      row.focus();
    };
    const within = place >= 0 ? place : null;
    const acts: Record<string, (() => void) | undefined | null> = {
      j: () => go(place + 1),
      k: () => go(place - 1),
      Enter: open && within !== null ? () => open(within) : null,
      c: copy && (() => copy(within)),
      x: select && within !== null ? () => select(within) : null,
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
