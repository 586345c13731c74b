import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#shared/texts/messages.js';
import { text, useUrlState } from '#web/address/search-params.ts';
import { useUser } from '#web/client/session.ts';
import layout from '#web/styles/layout.module.css';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { ownCompanyQuery } from './clients.api.ts';
import { CompanySelect } from './company-select.view.tsx';

const address = { company: text() };

type Props<T> = {
  hint: string;
  /** Describes the read of a company's settings. */
  queryOf: (companyCode: string) => UseQueryOptions<T>;
  children: (companyCode: string, settings: T) => ReactNode;
};

/** The settings of the user's company; superadmins choose a company first. */
export function CompanySettings<T>({ hint, ...props }: Props<T>) {
  const { superadmin } = useUser();
  const [{ company }, setState] = useUrlState(address);
  const own = useQuery({ ...ownCompanyQuery, enabled: !superadmin });
  if (!superadmin) {
    if (own.isError) return <ReadState read={own}>{() => null}</ReadState>;
    const code = own.data?.client.company_code ?? '';
    return <Settings key={code} code={code} {...props} />;
  }
  return (
    <>
      <div style={{ maxWidth: 480 }}>
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
        <Settings key={company} code={company} {...props} />
      )}
    </>
  );
}

/** The code is empty while the user's company is loading. */
function Settings<T>({ code, queryOf, children }: Omit<Props<T>, 'hint'> & { code: string }) {
  const read = useQuery({ ...queryOf(code), enabled: code !== '' });
  return (
    <ReadState read={read}>
      {(settings) =>
        settings === undefined ? (
          <Panel>
            <Skeleton height={36} count={6} />
          </Panel>
        ) : (
          <div className={layout.stack}>{children(code, settings)}</div>
        )
      }
    </ReadState>
  );
}
