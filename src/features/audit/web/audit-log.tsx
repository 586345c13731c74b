import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ComponentType, useId, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { m } from '#shared/texts/messages.js';
import {
  day,
  oneOf,
  type Param,
  pageSizes,
  rememberedOneOf,
  text,
  useUrlState,
  wholeNumber,
} from '#web/address/search-params.ts';
import { fileOf } from '#web/client/download.ts';
import { polled, readPage } from '#web/client/read.ts';
import layout from '#web/styles/layout.module.css';
import { SaveButtons } from '#web/ui/action/save-buttons.tsx';
import { softDisabledProps } from '#web/ui/action/soft-disabled-props.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { DayField } from '#web/ui/field/day-field.tsx';
import { TypedField } from '#web/ui/field/typed-field.tsx';
import { Fold, FoldButton } from '#web/ui/layout/fold.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import type { AuditEntry, downloadAudit, listAudit } from '../audit.contract.ts';
import { actionNames, listActions } from '../audit-words.shared.ts';
import { AuditEntryDialog, auditColumns } from './audit-columns.tsx';

const only = (param: Param<string>, isUsable: (value: string) => boolean): Param<string> => ({
  parse: (value) => (isUsable(param.parse(value)) ? param.parse(value) : ''),
  initial: '',
});
const maxNameLength = 254;

/** Only filters that the server takes: it refuses longer texts and days before 1970. */
const filters = {
  actor: only(text(), (value) => value.length <= maxNameLength),
  action: oneOf<string>(['', ...actionNames], ''),
  object_name: only(text(), (value) => value.length <= maxNameLength),
  company_code: only(text(), (value) => value.length <= 20),
  from: only(day(), (value) => value > '1970'),
  to: only(day(), (value) => value > '1970'),
};
const address = {
  ...filters,
  page: wholeNumber(1),
  limit: rememberedOneOf(pageSizes, 50, 'coverdesk.auditPageSize'),
};

/** Audit Log: entries by filter and page, the details of one, and a download. */
export function AuditLog({ CompanyField }: Pick<ComponentProps<typeof AuditFilter>, 'CompanyField'>) {
  const [{ page, limit, ...choice }, setState] = useUrlState(address);
  const [search] = useSearchParams();
  const ignored = Object.keys(filters).filter(
    (name) => search.get(name) && !choice[name as keyof typeof choice],
  );
  const query = { ...choice, page, limit };
  const read = useQuery(polled(readPage<typeof listAudit>(['audit'], 'GET /audit', { query })));
  const [entry, setEntry] = useState<AuditEntry | null>(null);
  const filterId = useId();
  const [filtering, setFiltering] = useState(() => isNarrowed(choice));
  const columns = useMemo(() => auditColumns(setEntry), []);

  return (
    <>
      <PageHeader title={m.audit_title()} subtitle={m.audit_subtitle()} />
      <div className={layout.stack}>
        {ignored.length > 0 && (
          <Banner tone="warning">
            <p>{m.audit_bad_filter({ names: ignored.join(', ') })}</p>
          </Banner>
        )}
        <Panel
          title={m.audit_filter()}
          toolbar={<FoldButton open={filtering} controls={filterId} onToggle={setFiltering} />}
        >
          <AuditFilter
            id={filterId}
            open={filtering}
            choice={choice}
            CompanyField={CompanyField}
            onChoose={(change) => setState({ ...change, page: 1 }, { replace: true })}
          />
        </Panel>
        <ListPanel
          title={m.audit_entries()}
          label={m.audit_title()}
          read={read}
          columns={columns}
          empty={<EmptyState title={m.audit_empty()} hint={m.audit_empty_hint()} />}
          toolbar={
            <SaveButtons
              texts={{ saved: m.audit_saved(), failed: m.audit_save_failed() }}
              fileOf={(format) =>
                fileOf<typeof downloadAudit>('GET /audit/download', { query: { ...choice, format } })
              }
            />
          }
          sizes={pageSizes}
          limit={limit}
          onPage={setState}
        />
      </div>
      {entry !== null && <AuditEntryDialog entry={entry} onClose={() => setEntry(null)} />}
    </>
  );
}

type AuditChoice = Record<'actor' | 'action' | 'object_name' | 'company_code' | 'from' | 'to', string>;

type CompanyFieldProps = { label: string; any: string; value: string; onChange: (code: string) => void };
type FilterProps = {
  id: string;
  open: boolean;
  choice: AuditChoice;
  /** Chooses a company; undefined for readers of one company. */
  CompanyField?: ComponentType<CompanyFieldProps> | undefined;
  onChoose: (change: Partial<AuditChoice>) => void;
};

const isNarrowed = (choice: AuditChoice) => Object.values(choice).some((value) => value !== '');

const nothing: AuditChoice = { actor: '', action: '', object_name: '', company_code: '', from: '', to: '' };

/** The filter of the audit log, which acts at once. */
function AuditFilter({ id, open, choice, CompanyField, onChoose }: FilterProps) {
  const pickDay = (name: 'from' | 'to', label: string) => (
    <DayField label={label} value={choice[name]} onChange={(day) => onChoose({ [name]: day })} />
  );
  return (
    <Fold id={id} open={open} className={layout.filterGrid}>
      <TypedField
        label={m.audit_actor_filter()}
        maxLength={maxNameLength}
        value={choice.actor}
        onTyped={(actor) => onChoose({ actor })}
      />
      <NativeSelect
        label={m.audit_action()}
        value={choice.action}
        data={[{ value: '', label: m.audit_all_actions() }, ...listActions()]}
        onChange={({ target }) => onChoose({ action: target.value })}
      />
      <TypedField
        label={m.audit_object()}
        placeholder={m.audit_object_hint()}
        maxLength={maxNameLength}
        value={choice.object_name}
        onTyped={(object_name) => onChoose({ object_name })}
      />
      {CompanyField && (
        <CompanyField
          label={m.audit_company()}
          any={m.audit_all_companies()}
          value={choice.company_code}
          onChange={(company_code) => onChoose({ company_code })}
        />
      )}
      {pickDay('from', m.audit_from())}
      {pickDay('to', m.audit_to())}
      <div className={layout.row}>
        <Button variant="default" {...softDisabledProps(!isNarrowed(choice), () => onChoose(nothing))}>
          {m.audit_show_all()}
        </Button>
      </div>
    </Fold>
  );
}
