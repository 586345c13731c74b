import { Button, NativeSelect, Switch } from '@mantine/core';
import { call } from '#web/client/api-client.ts';
import '@mantine/core/styles/Switch.layer.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { viewsQuery } from '#features/devices/web/views.api.ts';
import { m } from '#shared/texts/messages.js';
import { storeAnswer } from '#web/client/read.ts';
import { useSubmit } from '#web/client/submit.ts';
import { useStoredForm } from '#web/client/use-stored-form.ts';
import { formatDay, formatNumber } from '#web/format/format.ts';
import { parseWholeNumber } from '#web/format/whole-number.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { WholeNumberField } from '#web/ui/field/whole-number-field.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import type { putRecheck, Recheck } from '../rechecks.contract.ts';
import { recheckQuery } from './rechecks.api.ts';

const maxCap = 1_000_000;

export function RecheckForm({ companyCode, recheck }: { companyCode: string; recheck: Recheck }) {
  const queries = useQueryClient();
  const views = useQuery(viewsQuery);
  const query = recheckQuery(companyCode);
  const { form, follow, showSaved } = useStoredForm({
    stored: recheck,
    valuesOf,
    reread: query,
  });
  const { busy, error, submit } = useSubmit({
    form,
    follow,
    send: async () => {
      const sent = form.values;
      const { view_id, cap } = sent;
      const stored = await call<typeof putRecheck>('PUT /rechecks/{company_code}', {
        params: { company_code: companyCode },
        body: {
          ...sent,
          view_id: view_id === '' ? null : view_id,
          cap: parseWholeNumber(cap) ?? 0,
        },
      });
      await storeAnswer(queries, query, stored);
      showSaved(stored, sent);
      toast.success(m.rechecks_saved());
    },
    fallback: m.rechecks_save_failed(),
  });
  const visible = (views.data?.data ?? []).filter((view) => view.company_code === companyCode);
  const options = visible.map(({ _id, name, own, owner }) => ({
    value: _id,
    label: own ? name : m.devices_view_of({ name, owner }),
  }));
  const { view_id: stored } = recheck;
  if (stored !== null && !options.some(({ value }) => value === stored)) {
    options.push({ value: stored, label: nameUnlisted(recheck) });
  }

  return (
    <Panel title={m.rechecks_schedule()}>
      <form className={`${layout.stack} ${layout.formWidth}`} onSubmit={submit}>
        {error !== null && <Outcome tone="error">{error}</Outcome>}
        <Switch
          label={m.rechecks_active()}
          description={m.rechecks_active_hint()}
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
        <div className={layout.row}>
          <NativeSelect
            label={m.rechecks_cadence()}
            data={[
              { value: 'monthly', label: m.rechecks_monthly() },
              { value: 'quarterly', label: m.rechecks_quarterly() },
            ]}
            {...form.getInputProps('cadence')}
          />
          <NativeSelect
            label={m.rechecks_view()}
            data={[{ value: '', label: m.rechecks_all_devices() }, ...options]}
            {...form.getInputProps('view_id')}
          />
        </div>
        <PartNotRead read={views} name={m.devices_views()} />
        <WholeNumberField
          label={m.rechecks_cap()}
          hint={m.rechecks_cap_hint()}
          unit={m.rechecks_devices_unit()}
          min={1}
          max={maxCap}
          {...form.getInputProps('cap')}
        />
        <p className={typography.dim}>
          {recheck.next_on === null
            ? m.rechecks_next_none()
            : m.rechecks_next_on({ day: formatDay(recheck.next_on) })}
        </p>
        <div className={layout.row}>
          <Button type="submit" disabled={busy}>
            {busy ? m.rechecks_saving() : m.rechecks_save()}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** A view that is not in the list: a colleague's private one, a deleted one, or one that is loading. */
function nameUnlisted({ view_name: name, count }: Recheck): string {
  return name ?? (count === null ? m.rechecks_view_deleted() : m.rechecks_view_private());
}

const valuesOf = (recheck: Recheck) => ({
  active: recheck.active,
  cadence: recheck.cadence,
  view_id: recheck.view_id ?? '',
  cap: formatNumber(recheck.cap),
  version: recheck.version,
});
