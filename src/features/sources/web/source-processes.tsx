import type { RunningProcess } from '#features/sources/sources.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import { Panel } from '#web/ui/layout/panel.tsx';
import { PlainTable } from '#web/ui/table/plain-table.tsx';

/** The running processes of the product, those of one kind on one machine in one line, and the sources of each. */
export function SourceProcesses({ processes }: { processes: RunningProcess[] }) {
  const alike = Map.groupBy(processes, ({ kind, host, configuration }) => `${kind} ${configuration} ${host}`);
  return (
    <Panel title={m.sources_processes()}>
      <PlainTable
        label={m.sources_processes()}
        headers={[
          m.sources_process(),
          m.sources_process_machine(),
          m.sources_process_since(),
          m.sources_title(),
          m.sources_process_configuration(),
        ]}
        // The oldest process of a group comes first.
        rows={[...alike].flatMap(([key, [first, ...others]]) =>
          first === undefined
            ? []
            : {
                key,
                cells: [
                  nameGroup(first.kind, 1 + others.length),
                  first.host,
                  formatInstant(first.started_at),
                  first.sources.join(', '),
                  <span key="configuration" className="mono">
                    {first.configuration}
                  </span>,
                ],
              },
        )}
        oneLine
      />
    </Panel>
  );
}

function nameGroup(kind: RunningProcess['kind'], count: number): string {
  if (kind === 'api') return count === 1 ? m.sources_process_api() : `${m.sources_process_api()} (${count})`;
  return count === 1 ? m.sources_process_worker() : m.sources_process_workers({ count: formatNumber(count) });
}
