import { useParams } from 'react-router';
import { useCompanyCodes } from '#features/clients/web/clients.api.ts';
import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/client/failure.ts';
import { ErrorState } from '#web/ui/feedback/error-state.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import styles from './client-page.module.css';
import { CompanyLists } from './company-lists.tsx';
import { CompanyMoney } from './company-money.tsx';

/** One client: its data and its debts, each part leading to its screen. */
export function ClientPage() {
  const { code = '' } = useParams();
  const { codes, loading, error, retry } = useCompanyCodes();
  const client = codes.find(({ value }) => value === code);
  return (
    <>
      <PageHeader title={client?.label ?? code} subtitle={m.clients_page_subtitle()} />
      {client ? (
        <div className={styles.clientParts}>
          <CompanyMoney code={code} name={client.label} />
          <CompanyLists code={code} />
        </div>
      ) : loading ? (
        <PanelSkeleton height={320} />
      ) : (
        <Panel>
          {error !== null ? (
            <ErrorState text={describeFailure(error, m.clients_list_failed())} onRetry={retry} />
          ) : (
            <EmptyState title={m.clients_unknown()} hint={m.clients_unknown_hint()} />
          )}
        </Panel>
      )}
    </>
  );
}
