import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Source } from '#features/sources/sources.contract.ts';
import { m } from '#shared/texts/messages.js';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { RegistryDialog } from './registry-dialog.tsx';
import { SourcePanel } from './source-panel.tsx';
import { SourceProcesses } from './source-processes.tsx';
import { sources } from './sources.api.ts';
import { TryDialog } from './try-dialog.tsx';

/** Sources: how each coverage source does, in the order in which they are asked. */
export function Component() {
  const read = useQuery(sources);
  const [open, setOpen] = useState<{ what: 'try' | 'registry'; source: Source } | null>(null);
  const close = () => setOpen(null);

  return (
    <>
      <PageHeader title={m.sources_title()} subtitle={m.sources_subtitle()} />
      <div className="stack">
        <ReadState read={read} boxed>
          {(data) =>
            data === undefined ? (
              <PanelSkeleton height={330} />
            ) : data.data.length === 0 ? (
              <div className="panel">
                <EmptyState title={m.sources_empty()} hint={m.sources_empty_hint()} />
              </div>
            ) : (
              <>
                {data.data.map((source) => (
                  <SourcePanel
                    key={source.name}
                    source={source}
                    onTry={() => setOpen({ what: 'try', source })}
                    onRegistry={() => setOpen({ what: 'registry', source })}
                  />
                ))}
                <SourceProcesses processes={data.processes} />
              </>
            )
          }
        </ReadState>
      </div>
      {open?.what === 'try' && <TryDialog source={open.source} onClose={close} />}
      {open?.what === 'registry' && <RegistryDialog source={open.source} onClose={close} />}
    </>
  );
}
