import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { SearchSelect } from '#web/ui/field/search-select.tsx';
import type { AuditChoice } from './audit.api.ts';
import { listActions } from './audit-texts.ts';
import './audit-filter.css';

type Props = {
  id: string;
  /** On phones it is folded until it is wanted. */
  open: boolean;
  choice: AuditChoice;
  companies: { codes: readonly { value: string; label: string }[]; loading: boolean };
  onChoose: (choice: AuditChoice) => void;
};

const nothing: AuditChoice = { actor: '', action: '', object_id: '', company_code: '', from: '', to: '' };

/** Narrows the audit log; nothing is asked for before Show. Mount it anew when the choice changes otherwise. */
export function AuditFilter({ id, open, choice, companies, onChoose }: Props) {
  const [draft, setDraft] = useState(choice);
  const put = (change: Partial<AuditChoice>) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChoose({ ...draft, actor: draft.actor.trim(), object_id: draft.object_id.trim() });
  };
  const field = (name: 'actor' | 'object_id' | 'from' | 'to', label: string, type?: 'date') => (
    <TextInput
      label={label}
      value={draft[name]}
      onChange={(event) => put({ [name]: event.currentTarget.value })}
      {...(type === 'date' ? { type, min: '1971-01-01', max: '9998-12-31' } : { maxLength: 254 })}
    />
  );

  return (
    <form id={id} className={open ? 'audit-filter' : 'audit-filter folded'} onSubmit={submit}>
      {field('actor', m.audit_actor_filter())}
      <NativeSelect
        label={m.audit_action()}
        value={draft.action}
        data={[{ value: '', label: m.audit_all_actions() }, ...listActions()]}
        onChange={({ target }) => put({ action: target.value })}
      />
      {field('object_id', m.audit_object())}
      <SearchSelect
        label={m.audit_company()}
        value={draft.company_code}
        options={[{ value: '', label: m.audit_all_companies() }, ...companies.codes]}
        loading={companies.loading}
        upperCase
        onChange={(company_code) => put({ company_code })}
      />
      {field('from', m.audit_from(), 'date')}
      {field('to', m.audit_to(), 'date')}
      <div className="row">
        <Button type="submit">{m.audit_show()}</Button>
        <Button variant="default" onClick={() => onChoose(nothing)}>
          {m.audit_show_all()}
        </Button>
      </div>
    </form>
  );
}
