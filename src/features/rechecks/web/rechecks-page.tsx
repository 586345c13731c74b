import { useQuery } from '@tanstack/react-query';
import { CompanySettings } from '#features/clients/web/company-settings.view.tsx';
import { m } from '#shared/texts/messages.js';
import layout from '#web/styles/layout.module.css';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { ChangesReport } from './changes-report.tsx';
import { RecheckForm } from './recheck-form.tsx';
import { recheckQuery } from './rechecks.api.ts';
import { RunNow } from './run-now.tsx';

/** Check again: the schedule of the user's company, or of one that a superadmin chooses, and the changes by its tickets. */
export function RechecksPage() {
  return (
    <div className={layout.stack}>
      <PageHeader title={m.rechecks_title()} subtitle={m.rechecks_subtitle()} />
      <CompanySettings hint={m.rechecks_choose_company_hint()}>
        {(code) => <Settings key={code} code={code} />}
      </CompanySettings>
    </div>
  );
}

function Settings({ code }: { code: string }) {
  const recheck = useQuery({ ...recheckQuery(code), enabled: code !== '' });
  return (
    <ReadState read={recheck}>
      {(data) =>
        data === undefined ? (
          <Panel>
            <Skeleton height={36} count={6} />
          </Panel>
        ) : (
          <div className={layout.stack}>
            <RecheckForm companyCode={code} recheck={data} />
            <RunNow companyCode={code} recheck={data} />
            <ChangesReport companyCode={code} runs={data.runs} />
          </div>
        )
      }
    </ReadState>
  );
}
