import { useQuery } from '@tanstack/react-query';
import type { Status } from '#features/operations/operations.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatBytes, formatDay, formatDuration, formatInstant, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { PlainTable } from '#web/ui/table/plain-table.tsx';
import { productStatus } from './operations.api.ts';
import styles from './status-page.module.css';

/** Status: processes, queue and the last backup. */
export function StatusPage() {
  const read = useQuery(productStatus);
  return (
    <>
      <PageHeader title={m.common_menu_status()} subtitle={m.status_subtitle()} />
      <div className={layout.stack}>
        <ReadState read={read} boxed>
          {(status) =>
            status === undefined ? <PanelSkeleton height={160} count={3} /> : <Parts status={status} />
          }
        </ReadState>
      </div>
    </>
  );
}

function Parts({ status }: { status: Status }) {
  const { version, schema, queue, database, replica } = status;
  return (
    <>
      <Backup status={status} />
      <Panel title={m.status_processes()}>
        <PlainTable
          label={m.status_processes()}
          headers={[
            m.sources_process(),
            m.sources_process_machine(),
            m.status_version(),
            m.sources_process_since(),
            m.status_in_flight(),
            m.status_tickets(),
            m.status_calls(),
          ]}
          rows={status.processes.map((process) => ({
            key: process.id,
            cells: [
              process.kind === 'api' ? m.sources_process_api() : m.sources_process_worker(),
              process.host,
              process.version,
              formatInstant(process.started_at),
              formatNumber(process.in_flight),
              <span key="tickets" className={styles.statusWork}>
                {process.tickets.join(', ') || '–'}
              </span>,
              <span key="calls" className={styles.statusWork}>
                {process.calls.map(describeCalls).join(', ') || '–'}
              </span>,
            ],
          }))}
          oneLine
        />
      </Panel>
      <div className={styles.statusPanels}>
        <Panel title={m.status_queue()}>
          <div>
            <FactList
              facts={[
                [m.status_queue_ready(), formatNumber(queue.ready)],
                [m.status_queue_active(), formatNumber(queue.active)],
                [m.status_queue_waiting(), formatNumber(queue.waiting)],
                [m.status_queue_oldest(), queue.ready === 0 ? '–' : formatDuration(queue.oldest_seconds)],
              ]}
            />
          </div>
        </Panel>
        <Panel title={m.status_database()}>
          <div>
            <FactList
              facts={[
                [m.status_size(), formatBytes(database.size_bytes)],
                ...database.earlier.map(
                  ({ day, size_bytes }) =>
                    [m.status_size_on({ day: formatDay(day) }), formatBytes(size_bytes)] as const,
                ),
                [m.status_server(), `PostgreSQL ${database.version}`],
                [m.status_place(), database.embedded ? m.status_embedded() : m.status_served()],
                [m.status_schema(), schema],
                [m.status_version(), version],
                ...(replica ? [[m.status_replica(), describeReplica(replica)] as const] : []),
              ]}
            />
          </div>
        </Panel>
      </div>
    </>
  );
}

function describeReplica({ state, lag_bytes }: NonNullable<Status['replica']>): string {
  if (state === 'lost') return m.status_replica_lost();
  return state === 'behind'
    ? m.status_replica_behind()
    : m.status_replica_used({ lag: formatBytes(lag_bytes ?? 0) });
}

function Backup({ status: { backup, backup_overdue, backup_scheduled } }: { status: Status }) {
  return (
    <>
      {backup_overdue && (
        <Banner
          tone="warning"
          title={backup?.ok === false ? m.status_backup_unsuccessful() : m.status_backup_overdue()}
        >
          {backup?.error ?? m.status_backup_overdue_hint()}
        </Banner>
      )}
      <Panel title={m.status_backup()}>
        <div>
          {backup === null ? (
            <p>{backup_scheduled ? m.status_backup_none() : m.status_backup_unscheduled()}</p>
          ) : (
            <FactList
              facts={[
                [m.status_backup_at(), formatInstant(backup.last_at)],
                [m.status_backup_result(), backup.ok ? m.status_backup_ok() : m.status_backup_incomplete()],
                [m.status_size(), backup.size_bytes === null ? '–' : formatBytes(backup.size_bytes)],
              ]}
            />
          )}
        </div>
      </Panel>
    </>
  );
}

function describeCalls({ source, calls }: Status['processes'][number]['calls'][number]): string {
  return `${source} (${formatNumber(calls)})`;
}
