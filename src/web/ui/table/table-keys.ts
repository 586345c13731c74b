import type { RefObject } from 'react';
import { isElsewhere, useWindowKeys } from '#web/browser/keyboard.ts';

type Keys = {
  /** Opens the row that has the focus. */
  open: ((place: number) => void) | undefined;
  /** Copies what is selected, else the row that has the focus. */
  copy: ((place: number | null) => void) | undefined;
  select: ((place: number) => void) | undefined;
};

const rowsOf = (table: HTMLElement) => [...table.querySelectorAll<HTMLElement>('tbody > tr[aria-rowindex]')];

/**
 * j and k go through the rows of the first table on the screen, Enter opens one, c copies, x selects. The row has the
 * focus itself, so that readers say it.
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
