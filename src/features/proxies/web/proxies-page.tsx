import { Button } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleMinus,
  IconCloudUpload,
  IconNetwork,
  IconStack2,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { deleteProxySet, ProxySet } from '#features/proxies/proxies.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { oneOf, useUrlState } from '#web/address/search-params.ts';
import { call } from '#web/client/api-client.ts';
import { useAnnounceSuccess } from '#web/client/use-act.ts';
import { useLastFound } from '#web/client/use-last-found.ts';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { SummaryCards } from '#web/ui/layout/stat-card.tsx';
import { Tabs } from '#web/ui/layout/tabs.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { proxySets } from './proxies.api.ts';
import styles from './proxies-page.module.css';
import { ProxySetCard } from './proxy-set-card.tsx';
import { ProxySetDialog } from './proxy-set-dialog.tsx';

const address = { status: oneOf(['All', 'Active', 'Inactive'] as const, 'All') };

/** Proxy Management: the sets in numbers, and a card for each. */
export function ProxiesPage() {
  const [{ status }, setState] = useUrlState(address);
  const read = useQuery(proxySets);
  const { data } = read;
  const [open, setOpen] = useState<{ what: 'proxies' | 'deletion'; id: string } | null>(null);
  const opened = useLastFound(data?.data, ({ _id }) => _id === open?.id);
  const close = () => setOpen(null);
  const announceSuccess = useAnnounceSuccess(proxySets.queryKey);

  const remove = async (set: ProxySet) => {
    await call<typeof deleteProxySet>('DELETE /proxies/{proxy_set}', {
      params: { proxy_set: set.proxy_set },
    });
    await announceSuccess(m.proxies_deleted({ name: set.proxy_set }));
  };

  const tabs = [
    { value: 'All', label: m.proxies_all_sets() },
    { value: 'Active', label: m.proxies_active() },
    { value: 'Inactive', label: m.proxies_inactive() },
  ] as const;
  const cards = [
    { key: 'total', label: m.proxies_total_sets(), icon: IconStack2 },
    { key: 'active', label: m.proxies_active(), icon: IconCircleCheck },
    { key: 'inactive', label: m.proxies_inactive(), icon: IconCircleMinus },
    { key: 'total_proxies', label: m.proxies_total(), icon: IconNetwork },
  ] as const;
  const sets = data?.data.filter((set) => status === 'All' || set.status === status);
  const none = data?.data.length === 0;

  return (
    <>
      <PageHeader
        title={m.proxies_title()}
        subtitle={m.proxies_subtitle()}
        actions={
          <Button
            component={Link}
            to={paths.uploadProxies}
            leftSection={<IconCloudUpload size={16} aria-hidden="true" />}
          >
            {m.common_menu_upload_proxies()}
          </Button>
        }
      />
      <div className={layout.stack}>
        <SummaryCards label={m.proxies_summary()} cards={cards} summary={data?.summary} />
        <Tabs
          label={m.proxies_filter()}
          tabs={tabs}
          value={status}
          onChange={(next, how) => setState({ status: next }, how)}
        >
          <ReadState read={read} boxed>
            {() =>
              sets === undefined ? (
                <div className={styles.proxiesGrid}>
                  <PanelSkeleton height={206} count={3} />
                </div>
              ) : sets.length === 0 ? (
                <div className={panels.panel}>
                  <EmptyState
                    title={m.proxies_empty()}
                    hint={none ? m.proxies_empty_hint() : m.proxies_empty_filtered()}
                  />
                </div>
              ) : (
                <div className={styles.proxiesGrid}>
                  {sets.map((set) => (
                    <ProxySetCard
                      key={set._id}
                      set={set}
                      onOpen={() => setOpen({ what: 'proxies', id: set._id })}
                      onDelete={() => setOpen({ what: 'deletion', id: set._id })}
                    />
                  ))}
                </div>
              )
            }
          </ReadState>
        </Tabs>
      </div>
      {opened && open?.what === 'proxies' && (
        <ProxySetDialog set={opened} isDeleted={!data?.data.includes(opened)} onClose={close} />
      )}
      {opened && open?.what === 'deletion' && (
        <ConfirmDialog
          title={m.proxies_delete_title({ name: opened.proxy_set })}
          text={m.proxies_delete_text()}
          counts={m.proxies_delete_counts({
            count: opened.proxies_count,
            number: formatNumber(opened.proxies_count),
          })}
          confirmLabel={m.proxies_delete_confirm()}
          busyLabel={m.common_deleting()}
          fallback={m.proxies_delete_failed()}
          onConfirm={() => remove(opened)}
          onClose={close}
        />
      )}
    </>
  );
}
