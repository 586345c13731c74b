import { Button, NativeSelect, Switch, Textarea } from '@mantine/core';
import { useFieldsRead } from '#features/devices/web/fields/fields.api.ts';
import { FieldsNotRead } from '#features/devices/web/fields/fields-not-read.view.tsx';
import { call } from '#web/client/api-client.ts';
import { LanguageSelect } from '#web/ui/field/language-select.tsx';
import '@mantine/core/styles/Switch.layer.css';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { storeAnswer } from '#web/client/read.ts';
import { splitEntries } from '#web/client/refused-fields.ts';
import { useSubmit } from '#web/client/submit.ts';
import { useStoredForm } from '#web/client/use-stored-form.ts';
import { formatDay } from '#web/format/format.ts';
import { parseWholeNumber } from '#web/format/whole-number.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { WholeNumberField } from '#web/ui/field/whole-number-field.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import type { putWatch, Watch } from '../watch.contract.ts';
import { watchQuery } from './watch.api.ts';

const farthestHorizon = 730;
const maxDay = 28;
const addressLine = 254;
const maxReceivers = 20;

export function WatchForm({ companyCode, watch }: { companyCode: string; watch: Watch }) {
  const queries = useQueryClient();
  const query = watchQuery(companyCode);
  const ownFields = useFieldsRead(companyCode).data?.fields;
  const { form, follow, showSaved } = useStoredForm({
    stored: watch,
    valuesOf,
    reread: query,
  });
  const { cadence, group_by } = form.values;
  // The server refuses a column that was removed since the form was edited.
  const isRemoved = ownFields !== undefined && !ownFields.some(({ key }) => key === group_by);
  const groupBy = isRemoved ? '' : group_by;
  const { busy, error, submit } = useSubmit({
    form,
    follow,
    send: async () => {
      const sent = form.values;
      const { day, horizon_days, receivers } = sent;
      const stored = await call<typeof putWatch>('PUT /watch/{company_code}', {
        params: { company_code: companyCode },
        body: {
          ...sent,
          day: Number(day),
          horizon_days: parseWholeNumber(horizon_days) ?? 0,
          group_by: groupBy === '' ? null : groupBy,
          receivers: splitEntries(receivers),
        },
      });
      await storeAnswer(queries, query, stored);
      showSaved(stored, sent);
      toast.success(m.watch_saved());
    },
    fallback: m.watch_save_failed(),
  });

  return (
    <Panel title={m.watch_digest()}>
      <form className={`${layout.stack} ${layout.formWidth}`} onSubmit={submit}>
        {error !== null && <Outcome tone="error">{error}</Outcome>}
        <Switch
          label={m.watch_active()}
          description={m.watch_active_hint()}
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
        <div className={layout.row}>
          <NativeSelect
            label={m.watch_cadence()}
            data={[
              { value: 'weekly', label: m.watch_weekly() },
              { value: 'monthly', label: m.watch_monthly() },
            ]}
            {...form.getInputProps('cadence')}
            onChange={({ target }) =>
              form.setValues({ cadence: target.value === 'monthly' ? 'monthly' : 'weekly', day: '1' })
            }
          />
          <NativeSelect
            label={cadence === 'weekly' ? m.watch_weekday() : m.watch_month_day()}
            data={cadence === 'weekly' ? listWeekdays() : listMonthDays()}
            {...form.getInputProps('day')}
          />
          <LanguageSelect label={m.watch_language()} {...form.getInputProps('language')} />
        </div>
        <WholeNumberField
          label={m.watch_horizon()}
          hint={m.watch_horizon_hint()}
          unit={m.watch_days()}
          min={1}
          max={farthestHorizon}
          {...form.getInputProps('horizon_days')}
        />
        <FieldsNotRead companyCode={companyCode} />
        {ownFields !== undefined && ownFields.length > 0 && (
          <NativeSelect
            label={m.watch_group_by()}
            data={[
              { value: '', label: m.watch_group_by_none() },
              ...ownFields.map(({ key, name }) => ({ value: key, label: name })),
            ]}
            {...form.getInputProps('group_by')}
            value={groupBy}
          />
        )}
        <Textarea
          label={m.watch_receivers()}
          description={m.watch_receivers_hint({ count: maxReceivers })}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={maxReceivers * addressLine}
          spellCheck={false}
          {...form.getInputProps('receivers')}
        />
        {watch.unconfirmed.length > 0 && (
          <p>{m.watch_unconfirmed({ addresses: watch.unconfirmed.join(', ') })}</p>
        )}
        <p className={typography.dim}>
          {watch.next_on === null ? m.watch_next_none() : m.watch_next_on({ day: formatDay(watch.next_on) })}
        </p>
        <div className={layout.row}>
          <Button type="submit" disabled={busy}>
            {busy ? m.watch_saving() : m.watch_save()}
          </Button>
          <Link to={paths.devicesEnding(companyCode, watch.ends_from, watch.ends_to)}>
            {m.watch_preview()}
          </Link>
        </div>
      </form>
    </Panel>
  );
}

const valuesOf = (watch: Watch) => ({
  active: watch.active,
  cadence: watch.cadence,
  day: String(watch.day),
  language: watch.language,
  horizon_days: String(watch.horizon_days),
  group_by: watch.group_by ?? '',
  receivers: listEntered(watch),
  version: watch.version,
});

/** The addresses of the field, one per line: also those that have to confirm. */
const listEntered = ({ receivers, unconfirmed }: Watch) => [...receivers, ...unconfirmed].join('\n');

function listWeekdays() {
  return [
    m.watch_monday(),
    m.watch_tuesday(),
    m.watch_wednesday(),
    m.watch_thursday(),
    m.watch_friday(),
    m.watch_saturday(),
    m.watch_sunday(),
  ].map((label, index) => ({ value: String(index + 1), label }));
}

function listMonthDays() {
  return Array.from({ length: maxDay }, (_, index) => String(index + 1));
}
