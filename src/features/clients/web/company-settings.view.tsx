import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#shared/texts/messages.js';
import { text, useUrlState } from '#web/address/search-params.ts';
import { useUser } from '#web/client/session.ts';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { ownCompanyQuery } from './clients.api.ts';
import { CompanySelect } from './company-select.view.tsx';
import styles from './company-settings.module.css';

const address = { company: text() };

/** The settings of the user's company; superadmins choose a company first. */
export function CompanySettings({
  hint,
  children,
}: {
  hint: string;
  /** Renders the settings of a company; its code is empty while it is loading. */
  children: (companyCode: string) => ReactNode;
}) {
  const { superadmin } = useUser();
  const [{ company }, setState] = useUrlState(address);
  const own = useQuery({ ...ownCompanyQuery, enabled: !superadmin });
  if (!superadmin) {
    if (own.isError) return <ReadState read={own}>{() => null}</ReadState>;
    return children(own.data?.client.company_code ?? '');
  }
  return (
    <>
      <div className={styles.companyChoice}>
        <CompanySelect
          label={m.clients_company_code()}
          placeholder={m.clients_choose()}
          value={company}
          onChange={(chosen) => setState({ company: chosen })}
        />
      </div>
      {company === '' ? (
        <Panel>
          <EmptyState title={m.clients_choose()} hint={hint} />
        </Panel>
      ) : (
        children(company)
      )}
    </>
  );
}
