import type { ComponentProps } from 'react';
import { SearchField } from '#web/ui/field/search-field.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { ListFooter } from './list-footer.tsx';
import { ListTable } from './list-table.tsx';

type TableProps<T extends { _id: string }> = Omit<ComponentProps<typeof ListTable<T>>, 'label'>;
type PanelProps = Pick<ComponentProps<typeof Panel>, 'note' | 'toolbar' | 'bar'>;
type FooterProps<S extends number> = Omit<ComponentProps<typeof ListFooter<S>>, 'pagination' | 'from'>;
type Props<T extends { _id: string }, S extends number> = TableProps<T> &
  PanelProps &
  FooterProps<S> & {
    title: string;
    /** The name of the table; by default the title. */
    label?: string;
    /** A search field in front of the toolbar. */
    search?: { label: string; value: string; onSearch: (text: string) => void } | undefined;
    /** The object that the rows belong to. The selection ends when it changes. */
    selectionKey?: string | undefined;
  };

/** A list in a panel: search and toolbar in its head, filters in a bar, a page of rows, and the pages in its foot. */
export function ListPanel<T extends { _id: string }, S extends number>(props: Props<T, S>) {
  const { title, label = title, note, search, toolbar, bar, selectionKey, read, ...rest } = props;
  const { sizes, limit, onPage, showing, rangeOfOnePage, ...table } = rest;
  const pagination = read.data?.pagination;
  return (
    <Panel
      title={title}
      note={note}
      flush
      toolbar={
        search ? (
          <>
            <SearchField {...search} found={pagination?.totalItems} />
            {toolbar}
          </>
        ) : (
          toolbar
        )
      }
      bar={bar}
      footer={
        <ListFooter
          pagination={pagination}
          sizes={sizes}
          limit={limit}
          onPage={onPage}
          showing={showing}
          rangeOfOnePage={rangeOfOnePage}
        />
      }
    >
      <ListTable key={selectionKey} read={read} label={label} {...table} />
    </Panel>
  );
}
