import { Button, NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { type ComponentType, type FormEvent, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { dayInput } from '#web/ui/field/day-input.ts';
import { listActions } from '../audit-words.shared.ts';

type AuditChoice = Record<'actor' | 'action' | 'object_name' | 'company_code' | 'from' | 'to', string>;

type CompanyFieldProps = { label: string; any: string; value: string; onChange: (code: string) => void };
type Props = {
  id: string;
  open: boolean;
  choice: AuditChoice;
  /** Chooses a company; undefined for readers of one company. */
  CompanyField?: ComponentType<CompanyFieldProps> | undefined;
  onChoose: (choice: AuditChoice) => void;
};

const nothing: AuditChoice = { actor: '', action: '', object_name: '', company_code: '', from: '', to: '' };
const line = { maxLength: 254 };

/** The filter of the audit log, applied by Show. Mount it again when the filter changes elsewhere. */
export function AuditFilter({ id, open, choice, CompanyField, onChoose }: Props) {
  const [draft, setDraft] = useState(choice);
  const put = (change: Partial<AuditChoice>) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChoose({ ...draft, actor: draft.actor.trim(), object_name: draft.object_name.trim() });
  };
  const field = (name: 'actor' | 'object_name' | 'from' | 'to', props: TextInputProps) => (
    <TextInput
      value={draft[name]}
      onChange={(event) => put({ [name]: event.currentTarget.value })}
      {...props}
    />
  );

  return (
    <form id={id} className={open ? 'filter-grid' : 'filter-grid folded'} onSubmit={submit}>
      {field('actor', { ...line, label: m.audit_actor_filter() })}
      <NativeSelect
        label={m.audit_action()}
        value={draft.action}
        data={[{ value: '', label: m.audit_all_actions() }, ...listActions()]}
        onChange={({ target }) => put({ action: target.value })}
      />
      {field('object_name', { ...line, label: m.audit_object(), placeholder: m.audit_object_hint() })}
      {CompanyField && (
        <CompanyField
          label={m.audit_company()}
          any={m.audit_all_companies()}
          value={draft.company_code}
          onChange={(company_code) => put({ company_code })}
        />
      )}
      {field('from', { ...dayInput, label: m.audit_from() })}
      {field('to', { ...dayInput, label: m.audit_to() })}
      <div className="row">
        <Button type="submit">{m.audit_show()}</Button>
        <Button variant="default" onClick={() => onChoose(nothing)}>
          {m.audit_show_all()}
        </Button>
      </div>
    </form>
  );
}
