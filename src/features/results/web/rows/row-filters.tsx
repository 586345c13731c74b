import { Button } from '@mantine/core';
import { IconDownload, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { OwnField } from '#features/devices/web/fields/fields.api.ts';
import { listOptions, type Value } from '#features/devices/web/list-filter.view.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { OnDemand } from '#web/shell/pages/on-demand.tsx';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { SearchSelect } from '#web/ui/field/search-select.tsx';
import { Fold, FoldButton } from '#web/ui/layout/fold.tsx';
import { passFocusOn } from '#web/ui/overlay/move-focus.ts';
import { countsQuery } from '../results.api.ts';
import { ReasonChips, RowChips } from './row-chips.tsx';
import { type RowChoice, rowFilter } from './row-filter.view.ts';
import styles from './row-filters.module.css';

const loadFieldFilter = () => import('#features/devices/web/fields/field-filter.view.tsx');

type Props = {
  ticketNumber: string | undefined;
  /** Changes when more rows are finished: only then counts are asked for again. */
  version: number;
  filter: RowChoice;
  found: number | undefined;
  /** The own columns of the company. */
  fields: readonly OwnField[];
  onFilter: (change: Partial<RowChoice>, options?: { replace: boolean }) => void;
  onDownload: () => void;
};

export function RowFilters(props: Props) {
  const { ticketNumber, version, filter, found, fields, onFilter, onDownload } = props;
  const read = useQuery(countsQuery(ticketNumber, version));
  const { counts, values } = read.data ?? {};
  // Without values the selectors would look as if the ticket had none.
  const isUnread = read.isError && values === undefined;
  const narrowed = rowFilter.isNarrowed(filter);
  const id = useId();
  const [open, setOpen] = useState(() => rowFilter.isNarrowed(filter));
  const choose = (name: 'type' | 'warranty', label: string, any: string, values?: readonly Value[]) => (
    <SearchSelect
      className={styles.choice}
      label={label}
      hideLabel
      value={filter[name]}
      options={listOptions(any, filter[name], values)}
      loading={read.isPending}
      onChange={(value) => onFilter({ [name]: value })}
    />
  );
  return (
    <div className={styles.rowFilters}>
      <FoldButton open={open} controls={id} onToggle={setOpen} />
      <Fold id={id} open={open} className={styles.rowChoices}>
        <RowChips filter={filter} counts={counts} onFilter={onFilter} />
        {!isUnread && choose('type', m.data_type(), m.results_all_types(), values?.types)}
        {!isUnread && choose('warranty', m.data_warranty(), m.results_all_warranties(), values?.warranties)}
        {fields.length > 0 && (
          <OnDemand
            load={loadFieldFilter}
            props={{
              fields,
              filter: filter.own,
              onFilter: (own: string, options?: { replace: boolean }) => onFilter({ own }, options),
            }}
          />
        )}
      </Fold>
      <ReasonChips filter={filter} counts={counts} onFilter={onFilter} />
      {narrowed && (
        <>
          <Button
            ref={passFocusOn}
            variant="subtle"
            leftSection={<IconX size={16} aria-hidden="true" />}
            onClick={() => onFilter(rowFilter.none)}
          >
            {m.results_clear()}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden="true" />}
            disabled={found === undefined || found === 0}
            onClick={onDownload}
          >
            {m.results_download_shown_count({ count: formatNumber(found ?? 0) })}
          </Button>
        </>
      )}
      <span className={styles.rowFiltersFound} role="status">
        {narrowed && found !== undefined && counts !== undefined
          ? m.results_shown({ count: counts.all, shown: formatNumber(found), all: formatNumber(counts.all) })
          : ''}
      </span>
      <PartNotRead
        read={read}
        name={[m.data_compare_figures(), m.data_type(), m.data_warranty()].join(', ')}
      />
    </div>
  );
}
