import { useQuery } from '@tanstack/react-query';
import { ownCompanyQuery, useCompanyCodes } from '#features/clients/web/clients.api.ts';
import { m } from '#shared/texts/messages.js';
import { text, useUrlState } from '#web/address/search-params.ts';
import { useUser } from '#web/client/session.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { SearchSelect } from '#web/ui/field/search-select.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { CalendarAddress } from './calendar-address.tsx';
import { watchQuery } from './watch.api.ts';
import { WatchForm } from './watch-form.tsx';

const place = { company: text() };

/** Expiry watch: the settings of the own company, for superadmins of a chosen one. */
export function Component() {
  const { superadmin } = useUser();
  const [{ company }, setState] = useUrlState(place);
  const companies = useCompanyCodes('all', { enabled: superadmin });
  const own = useQuery({ ...ownCompanyQuery, enabled: !superadmin });
  const code = superadmin ? company : (own.data?.client.company_code ?? '');
  const watch = useQuery({ ...watchQuery(code), enabled: code !== '' });

  return (
    <div className="stack">
      <PageHeader title={m.watch_title()} subtitle={m.watch_subtitle()} />
      {superadmin && (
        <SearchSelect
          label={m.watch_company()}
          placeholder={m.watch_choose_company()}
          value={company}
          options={companies.codes}
          loading={companies.loading}
          upperCase
          onChange={(chosen) => setState({ company: chosen })}
        />
      )}
      {own.isError ? (
        <ReadState read={own}>{() => null}</ReadState>
      ) : superadmin && code === '' ? (
        <Panel>
          <EmptyState title={m.watch_choose_company()} hint={m.watch_choose_company_hint()} />
        </Panel>
      ) : (
        <ReadState read={watch}>
          {(data) =>
            data === undefined ? (
              <Panel>
                <Skeleton height={36} count={6} />
              </Panel>
            ) : (
              <div className="stack">
                <WatchForm key={code} companyCode={code} watch={data} />
                <CalendarAddress companyCode={code} watch={data} />
              </div>
            )
          }
        </ReadState>
      )}
    </div>
  );
}
