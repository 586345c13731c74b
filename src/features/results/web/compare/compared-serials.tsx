import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { keepOrder } from '#features/devices/web/fields/field-address.view.ts';
import { useFields, useFieldsRead } from '#features/devices/web/fields/fields.api.ts';
import { FieldsNotRead } from '#features/devices/web/fields/fields-not-read.view.tsx';
import type { Comparison } from '#features/results/results.contract.ts';
import { m } from '#shared/texts/messages.js';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { Tabs } from '#web/ui/layout/tabs.tsx';
import { resultsQuery, useResultsDownload } from '../results.api.ts';
import { CoveragePanel } from '../rows/coverage-panel.tsx';
import { rowFilter, rowsAddress } from '../rows/row-filter.view.ts';
import { ChangedDevices } from './changed-devices.tsx';
import type { CompareView } from './compare-address.ts';

/** The changes between two tickets, and the rows of each part with their download; those of both as the older has them. */
export function ComparedSerials({
  first: older,
  second: newer,
  serials,
  state: address,
  onChange,
}: Comparison & CompareView) {
  const [first, second] = [older.ticket.ticket_number, newer.ticket.ticket_number];
  const { part } = address;
  const [shown, other] = part === 'only_second' ? [newer.ticket, first] : [older.ticket, second];
  const ticket = shown.ticket_number;
  const { data } = useFieldsRead(shown.company_code);
  const order = keepOrder(address, data?.fields, rowsAddress);
  const state = { ...address, ...order };
  const query = { compared_with: other, shared: part === 'both' ? 'true' : 'false', ...order } as const;
  const { running, saveResults } = useResultsDownload();
  const count = part === 'changes' ? undefined : serials[part];
  return (
    <Tabs
      label={m.data_compare_shared()}
      tabs={[
        { value: 'changes', label: m.rechecks_changes() },
        { value: 'only_first', label: m.data_compare_only({ number: first }) },
        { value: 'both', label: m.data_compare_both() },
        { value: 'only_second', label: m.data_compare_only({ number: second }) },
      ]}
      value={part}
      onChange={(next, how) => onChange({ part: next, page: 1, row: 0 }, how)}
      aside={
        count !== undefined && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden="true" />}
            disabled={running !== null || count === 0}
            aria-busy={running !== null}
            onClick={() => saveResults(ticket, 'excel', query)}
          >
            {m.data_format_excel()}
          </Button>
        )
      }
    >
      {count === undefined ? (
        <ChangedDevices older={older.ticket} newer={newer.ticket} state={state} onChange={onChange} />
      ) : count === 0 ? (
        <div className={panels.panel}>
          <EmptyState title={m.data_compare_none()} />
        </div>
      ) : (
        <PartRows key={part} ticket={ticket} query={query} state={state} onChange={onChange} />
      )}
    </Tabs>
  );
}

type Query = Pick<Parameters<typeof resultsQuery>[0], 'compared_with' | 'shared' | 'sort' | 'order'>;

function PartRows({ ticket, query, state, onChange }: { ticket: string; query: Query } & CompareView) {
  const read = useQuery(
    resultsQuery({ ticket_number: ticket, page: state.page, limit: state.size, ...query }),
  );
  const code = read.data?.ticket?.company_code;
  const fields = useFields(code);
  return (
    <>
      <FieldsNotRead companyCode={code} />
      <CoveragePanel
        ticketNumber={ticket}
        read={read}
        state={state}
        onChange={onChange}
        filter={rowFilter.none}
        fields={fields}
      />
    </>
  );
}
