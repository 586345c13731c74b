import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunningProcess } from '#features/sources/sources.contract.ts';
import { m } from '#shared/texts/messages.js';
import { useLastFound } from '#web/client/use-last-found.ts';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { Panel } from '#web/ui/layout/panel.tsx';
import { PlainTable } from '#web/ui/table/plain-table.tsx';
import { RegistryDialog } from './registry-dialog.tsx';
import { SourcePanel } from './source-panel.tsx';
import { sources } from './sources.api.ts';
import { TryDialog } from './try-dialog.tsx';

/** Sources: the state of each coverage source, in the order in which they are asked. */
export function SourcesPage() {
  const read = useQuery(sources);
  const [open, setOpen] = useState<{ what: 'try' | 'registry'; name: string } | null>(null);
  const opened = useLastFound(read.data?.data, ({ name }) => name === open?.name);
  const close = () => setOpen(null);

  return (
    <>
      <PageHeader title={m.sources_title()} subtitle={m.sources_subtitle()} />
      <div className={layout.stack}>
        <ReadState read={read} boxed>
          {(data) =>
            data === undefined ? (
              <PanelSkeleton height={330} />
            ) : data.data.length === 0 ? (
              <div className={panels.panel}>
                <EmptyState title={m.sources_empty()} hint={m.sources_empty_hint()} />
              </div>
            ) : (
              <>
                {data.data.map((source) => (
                  <SourcePanel
                    key={source.name}
                    source={source}
                    onTry={() => setOpen({ what: 'try', name: source.name })}
                    onRegistry={() => setOpen({ what: 'registry', name: source.name })}
                  />
                ))}
                <SourceProcesses processes={data.processes} />
              </>
            )
          }
        </ReadState>
      </div>
      {opened && open?.what === 'try' && <TryDialog source={opened} onClose={close} />}
      {opened && open?.what === 'registry' && <RegistryDialog source={opened} onClose={close} />}
    </>
  );
}

/** The running processes of the product, those of one kind on one machine in one line, and the sources of each. */
function SourceProcesses({ processes }: { processes: RunningProcess[] }) {
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
                  <span key="configuration" className={typography.mono}>
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
