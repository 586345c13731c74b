import { CompanySettings } from '#features/clients/web/company-settings.view.tsx';
import { m } from '#shared/texts/messages.js';
import layout from '#web/styles/layout.module.css';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ChangesReport } from './changes-report.tsx';
import { RecheckForm } from './recheck-form.tsx';
import { recheckQuery } from './rechecks.api.ts';
import { RunNow } from './run-now.tsx';

/** Check again: the schedule of the user's company, or of one that a superadmin chooses, and the changes by its tickets. */
export function RechecksPage() {
  return (
    <div className={layout.stack}>
      <PageHeader title={m.rechecks_title()} subtitle={m.rechecks_subtitle()} />
      <CompanySettings hint={m.rechecks_choose_company_hint()} queryOf={recheckQuery}>
        {(code, recheck) => (
          <>
            <RecheckForm companyCode={code} recheck={recheck} />
            <RunNow companyCode={code} recheck={recheck} />
            <ChangesReport companyCode={code} runs={recheck.runs} />
          </>
        )}
      </CompanySettings>
    </div>
  );
}
