import { NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { Pagination } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import { usePageInRange } from '#web/address/page-in-range.ts';
import { formatNumber } from '#web/format/format.ts';
import { pageWindow } from './page-window.ts';
import './table-footer.css';

type Props<S extends number> = {
  pagination: Pagination | undefined;
  /** The sizes on offer; the present one is `pageSize`. */
  sizes: readonly S[];
  pageSize: number;
  onPageSize: (size: S) => void;
  onPage: (page: number) => void;
  /** Shows the range even if there is only one page. */
  alwaysRange?: boolean;
};

/** The foot of a table: page size left; range and numbered pages right, only when there is more than one page. */
export function TableFooter<S extends number>({
  pagination,
  sizes,
  pageSize,
  onPageSize,
  onPage,
  alwaysRange = false,
}: Props<S>) {
  const pages = pagination?.totalPages ?? 0;
  return (
    <div className="table-footer">
      <NativeSelect
        label={m.common_page_size()}
        className="row"
        value={pageSize}
        data={sizes.map(String)}
        onChange={({ target: { value } }) => {
          const chosen = sizes.find((size) => String(size) === value);
          if (chosen !== undefined) onPageSize(chosen);
        }}
      />
      {pagination !== undefined && pages > (alwaysRange ? 0 : 1) && (
        <>
          <p className="dim table-range" role="status">
            {m.common_showing({
              from: formatNumber((pagination.page - 1) * pagination.limit + 1),
              to: formatNumber(Math.min(pagination.page * pagination.limit, pagination.totalItems)),
              total: formatNumber(pagination.totalItems),
            })}
          </p>
          {pages > 1 && <PageButtons pagination={pagination} onPage={onPage} />}
        </>
      )}
    </div>
  );
}

type ListProps<S extends number> = {
  pagination: Pagination | undefined;
  sizes: readonly S[];
  limit: number;
  onPlace: (place: { page: number; limit?: S }, options?: { replace: boolean }) => void;
};

/**
 * The footer of a list with its place as `page` and `limit`; empty while the list loads. Always shows the range, and steps
 * back to the last page when the present one lies past the end.
 */
export function ListFooter<S extends number>({ pagination, sizes, limit, onPlace }: ListProps<S>) {
  usePageInRange(pagination, (page) => onPlace({ page }, { replace: true }));
  if (pagination === undefined) return null;
  return (
    <TableFooter
      pagination={pagination}
      sizes={sizes}
      pageSize={limit}
      alwaysRange
      onPageSize={(size) => onPlace({ limit: size, page: 1 })}
      onPage={(page) => onPlace({ page })}
    />
  );
}

function PageButtons({ pagination, onPage }: { pagination: Pagination; onPage: (page: number) => void }) {
  const { page, totalPages } = pagination;
  const go = (to: number) => {
    if (to >= 1 && to <= totalPages && to !== page) onPage(to);
  };
  return (
    // The arrows stay focusable at either end, so that the focus is not lost.
    <nav aria-label={m.common_pages()} className="page-buttons">
      <button
        type="button"
        aria-label={m.common_previous_page()}
        aria-disabled={page <= 1}
        onClick={() => go(page - 1)}
      >
        <IconChevronLeft size={16} aria-hidden="true" />
      </button>
      {pageWindow(page, totalPages).map((entry, index, all) =>
        entry === 'gap' ? (
          <span key={`gap-after-${all[index - 1]}`} className="page-gap">
            …
          </span>
        ) : (
          <button
            key={entry}
            type="button"
            aria-current={entry === page ? 'page' : undefined}
            onClick={() => go(entry)}
          >
            {formatNumber(entry)}
          </button>
        ),
      )}
      <button
        type="button"
        aria-label={m.common_next_page()}
        aria-disabled={page >= totalPages}
        onClick={() => go(page + 1)}
      >
        <IconChevronRight size={16} aria-hidden="true" />
      </button>
    </nav>
  );
}
