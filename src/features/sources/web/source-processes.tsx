import type { RunningProcess } from '#features/sources/sources.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import { Panel } from '#web/ui/layout/panel.tsx';
import '#web/ui/table/plain-table.css';

/** The running processes of the product, those of one kind on one machine in one line, and the sources of each. */
export function SourceProcesses({ processes }: { processes: RunningProcess[] }) {
  const alike = Map.groupBy(processes, ({ kind, host, configuration }) => `${kind} ${configuration} ${host}`);
  return (
    <Panel title={m.sources_processes()}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be part of a form */}
      <div className="source-processes" role="group" aria-label={m.sources_processes()} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{m.sources_process()}</th>
              <th scope="col">{m.sources_process_machine()}</th>
              <th scope="col">{m.sources_process_since()}</th>
              <th scope="col">{m.sources_title()}</th>
              <th scope="col">{m.sources_process_configuration()}</th>
            </tr>
          </thead>
          <tbody>
            {[...alike].map(([key, group]) => (
              <Line key={key} group={group} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Line({ group }: { group: RunningProcess[] }) {
  // The oldest comes first.
  const [first] = group;
  if (first === undefined) return null;
  return (
    <tr>
      <th scope="row">{nameGroup(first.kind, group.length)}</th>
      <td>{first.host}</td>
      <td>{formatInstant(first.started_at)}</td>
      <td>{first.sources.join(', ')}</td>
      <td className="mono">{first.configuration}</td>
    </tr>
  );
}

function nameGroup(kind: RunningProcess['kind'], count: number): string {
  if (kind === 'api') return count === 1 ? m.sources_process_api() : `${m.sources_process_api()} (${count})`;
  return count === 1 ? m.sources_process_worker() : m.sources_process_workers({ count: formatNumber(count) });
}
