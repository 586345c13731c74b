import { NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import type { Pagination } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import { useUnlessLeaving } from '#web/address/pending-navigation.ts';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import styles from './list-footer.module.css';
import { pageWindow } from './page-window.ts';

type Props<S extends number> = {
  pagination: Pagination | undefined;
  sizes: readonly S[];
  limit: number;
  onPage: (change: { page: number; limit?: S }, options?: { replace: boolean }) => void;
  /** Words for the range, if the pages do not count the rows of the table. */
  showing?: ((range: { from: string; to: string; total: string }) => string) | undefined;
  /** Shows the range even if there is only one page. */
  rangeOfOnePage?: boolean | undefined;
  /** The fewest rows that need a foot. */
  from?: number;
};

/**
 * The foot of a list: page size left; range and, if there are several pages, their numbers right. It steps back to the
 * last page when the present one lies past the end, as after a deletion.
 */
export function ListFooter<S extends number>(props: Props<S>) {
  const { pagination, sizes, limit, onPage, rangeOfOnePage = true, from = 1 } = props;
  const { showing = m.common_showing } = props;
  const pages = pagination?.totalPages ?? 0;
  const isPast = pagination !== undefined && pagination.page > pages;
  const unlessLeaving = useUnlessLeaving();
  const stepBack = useEffectEvent(() => unlessLeaving(() => onPage({ page: pages }, { replace: true })));
  useEffect(() => {
    if (isPast && pages > 0) stepBack();
  }, [isPast, pages]);
  if (pagination === undefined || pagination.totalItems < from) return null;
  return (
    <div className={styles.listFooter}>
      {sizes.length > 1 && (
        <NativeSelect
          label={m.common_page_size()}
          className={layout.row}
          value={limit}
          data={sizes.map(String)}
          onChange={({ target: { value } }) => {
            const chosen = sizes.find((offered) => String(offered) === value);
            if (chosen !== undefined) onPage({ page: 1, limit: chosen });
          }}
        />
      )}
      {pages > (rangeOfOnePage ? 0 : 1) && (
        <p className={`${typography.dim} ${styles.range}`} role="status">
          {showing({
            from: formatNumber((pagination.page - 1) * pagination.limit + 1),
            to: formatNumber(Math.min(pagination.page * pagination.limit, pagination.totalItems)),
            total: formatNumber(pagination.totalItems),
          })}
        </p>
      )}
      {pages > 1 && <PageButtons pagination={pagination} onPage={(page) => onPage({ page })} />}
    </div>
  );
}

function PageButtons({ pagination, onPage }: { pagination: Pagination; onPage: (page: number) => void }) {
  const { page, totalPages } = pagination;
  const go = (to: number) => {
    if (to >= 1 && to <= totalPages && to !== page) onPage(to);
  };
  return (
    // The arrows stay focusable at either end, so that the focus is not lost.
    <nav aria-label={m.common_pages()} className={styles.pageButtons}>
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
          <span key={`gap-after-${all[index - 1]}`} className={styles.pageGap}>
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
