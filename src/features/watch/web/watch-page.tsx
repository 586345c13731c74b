import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CompanySettings } from '#features/clients/web/company-settings.view.tsx';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { storeAnswer } from '#web/client/read.ts';
import buttons from '#web/styles/buttons.module.css';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { CopyButton } from '#web/ui/action/copy-button.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import type { renewWatch, Watch } from '../watch.contract.ts';
import { watchQuery } from './watch.api.ts';
import { WatchForm } from './watch-form.tsx';

/** Expiry watch: the settings of the user's company, or of one that a superadmin chooses. */
export function WatchPage() {
  return (
    <div className={layout.stack}>
      <PageHeader title={m.watch_title()} subtitle={m.watch_subtitle()} />
      <CompanySettings hint={m.watch_choose_company_hint()} queryOf={watchQuery}>
        {(code, watch) => (
          <>
            <WatchForm companyCode={code} watch={watch} />
            <CalendarAddress companyCode={code} watch={watch} />
          </>
        )}
      </CompanySettings>
    </div>
  );
}

function CalendarAddress({ companyCode, watch }: { companyCode: string; watch: Watch }) {
  const queries = useQueryClient();
  const [isRenewing, setRenewing] = useState(false);
  return (
    <Panel title={m.watch_calendar()}>
      <div className={layout.stack}>
        <p>{m.watch_calendar_text()}</p>
        {!watch.active && <p className={typography.dim}>{m.watch_calendar_off()}</p>}
        <TextInput
          label={m.watch_calendar_address()}
          readOnly
          value={watch.ics_url}
          onFocus={(event) => event.target.select()}
        />
        <div className={layout.row}>
          <CopyButton text={watch.ics_url} label={m.watch_copy()} />
          <Button
            size="compact-sm"
            variant="default"
            className={buttons.dangerOutline}
            onClick={() => setRenewing(true)}
          >
            {m.watch_renew()}
          </Button>
        </div>
      </div>
      {isRenewing && (
        <ConfirmDialog
          title={m.watch_renew()}
          text={m.watch_renew_text()}
          confirmLabel={m.watch_renew_confirm()}
          busyLabel={m.watch_renewing()}
          fallback={m.watch_renew_failed()}
          onConfirm={async () => {
            const stored = await call<typeof renewWatch>('POST /watch/{company_code}/renew', {
              params: { company_code: companyCode },
            });
            await storeAnswer(queries, watchQuery(companyCode), stored);
            toast.success(m.watch_renewed());
          }}
          onClose={() => setRenewing(false)}
        />
      )}
    </Panel>
  );
}
