import { useQuery } from '@tanstack/react-query';
import { CompanySettings } from '#features/clients/web/company-settings.view.tsx';
import { m } from '#shared/texts/messages.js';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { CalendarAddress } from './calendar-address.tsx';
import { watchQuery } from './watch.api.ts';
import { WatchForm } from './watch-form.tsx';

/** Expiry watch: the settings of the own company, for superadmins of a chosen one. */
export function Component() {
  return (
    <div className="stack">
      <PageHeader title={m.watch_title()} subtitle={m.watch_subtitle()} />
      <CompanySettings hint={m.watch_choose_company_hint()}>
        {(code) => <Settings key={code} code={code} />}
      </CompanySettings>
    </div>
  );
}

function Settings({ code }: { code: string }) {
  const watch = useQuery({ ...watchQuery(code), enabled: code !== '' });
  return (
    <ReadState read={watch}>
      {(data) =>
        data === undefined ? (
          <Panel>
            <Skeleton height={36} count={6} />
          </Panel>
        ) : (
          <div className="stack">
            <WatchForm companyCode={code} watch={data} />
            <CalendarAddress companyCode={code} watch={data} />
          </div>
        )
      }
    </ReadState>
  );
}
