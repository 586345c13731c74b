import { NativeSelect } from '@mantine/core';
import { useId } from 'react';
import { m } from '#shared/texts/messages.js';
import styles from './cards-head.module.css';
import type { Column } from './table-column.ts';
import { type PageSelection, SelectPage, type Sorting } from './table-head.tsx';

type Props = Sorting & {
  columns: readonly Pick<Column<never>, 'header' | 'sort'>[];
  /** Undefined where rows cannot be selected. */
  selection: PageSelection | undefined;
};

/** The controls above a table on phones, where it has no head: they select the rows of the page, and sort. */
export function CardsHead({ columns, sort, order = 'asc', onSort, selection }: Props) {
  const id = useId();
  const sorts = columns.flatMap(({ sort: name, header }) =>
    name === undefined
      ? []
      : [
          { value: `${name} asc`, label: m.results_sort_up({ by: header() }) },
          { value: `${name} desc`, label: m.results_sort_down({ by: header() }) },
        ],
  );
  if (!selection && !onSort) return null;
  return (
    <div className={styles.cardsHead}>
      {selection && (
        <div className={styles.page}>
          <SelectPage id={id} selection={selection} />
          <label htmlFor={id}>{m.common_select_page()}</label>
        </div>
      )}
      {onSort && (
        <NativeSelect
          className={styles.sorts}
          aria-label={m.results_sort()}
          value={`${sort} ${order}`}
          data={sorts}
          onChange={({ target: { value } }) => {
            const [by = '', way] = value.split(' ');
            onSort(by, way === 'desc' ? 'desc' : 'asc');
          }}
        />
      )}
    </div>
  );
}
