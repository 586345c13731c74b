import { ActionIcon, Button, Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { putFields } from '#features/devices/fields.contract.ts';
import { foldHead, longestFieldName, mostFields } from '#features/devices/fields.shared.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { ApiFailure } from '#web/client/failure.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { toast } from '#web/ui/feedback/toast.tsx';
import { CheckedField } from '#web/ui/field/checked-field.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { ReadDialog } from '#web/ui/overlay/read-dialog.tsx';
import { fieldsQuery, type OwnField } from './fields.api.ts';
import { makeKey } from './make-key.ts';

type Props = { companyCode: string; onClose: () => void };

/** The own columns of a company: added, renamed, moved and removed. */
export function FieldsDialog({ companyCode, onClose }: Props) {
  return (
    <ReadDialog title={m.devices_fields()} query={fieldsQuery(companyCode)} onClose={onClose}>
      {({ fields }) => <FieldsForm companyCode={companyCode} known={fields} onClose={onClose} />}
    </ReadDialog>
  );
}

function FieldsForm({ companyCode, known, onClose }: Props & { known: readonly OwnField[] }) {
  const queries = useQueryClient();
  // While the form is open, the columns are read again.
  const [opened] = useState(known);
  const [fields, setFields] = useState<readonly OwnField[]>(
    known.length > 0 ? known : [{ key: '', name: '' }],
  );
  const [forgets, setForgets] = useState(false);
  /** Whether the server said that a removed column has values. */
  const [isAsked, setAsked] = useState(false);
  const save = async () => {
    const named = fields.filter(({ name }) => name.trim() !== '');
    const taken = new Set(named.map(({ key }) => key));
    const keyed = named.map(({ key, name }) => {
      const own = key === '' ? makeKey(name, taken) : key;
      taken.add(own);
      return { key: own, name: name.trim() };
    });
    try {
      const saved = await call<typeof putFields>('PUT /fields/{company_code}', {
        params: { company_code: companyCode },
        query: { forget: forgets ? 'true' : 'false' },
        body: { fields: keyed, known: [...opened] },
      });
      queries.setQueryData(fieldsQuery(companyCode).queryKey, saved);
    } catch (failure) {
      if (failure instanceof ApiFailure && failure.code === 'field_has_values') setAsked(true);
      throw failure;
    }
    await queries.invalidateQueries({ queryKey: ['devices'] });
    toast.success(m.devices_fields_saved());
  };
  const change = (at: number, name: string) =>
    setFields(fields.map((field, index) => (index === at ? { ...field, name } : field)));
  const move = (at: number, by: -1 | 1) => {
    const moved = fields.toSpliced(at, 1);
    const [field] = fields.slice(at, at + 1);
    if (field) setFields(moved.toSpliced(at + by, 0, field));
  };
  const button = (label: string, Icon: typeof IconPlus, isDisabled: boolean, onClick: () => void) => (
    <ActionIcon variant="subtle" aria-label={label} title={label} disabled={isDisabled} onClick={onClick}>
      <Icon size={16} aria-hidden="true" />
    </ActionIcon>
  );
  return (
    <FormDialog
      title={m.devices_fields()}
      submitLabel={m.devices_fields_save()}
      busyLabel={m.devices_fields_saving()}
      fallback={m.devices_fields_failed()}
      onSubmit={save}
      onClose={onClose}
    >
      <p className={typography.dim}>{m.devices_fields_text()}</p>
      {fields.map(({ name }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a field without a name has nothing else
        <div className={layout.row} key={at}>
          <CheckedField
            aria-label={m.devices_fields_name({ number: String(at + 1) })}
            problem={isTaken(fields, at) ? m.devices_fields_name_taken() : null}
            maxLength={longestFieldName}
            value={name}
            onChange={({ currentTarget }) => change(at, currentTarget.value)}
          />
          {button(m.devices_fields_up({ name }), IconArrowUp, at === 0, () => move(at, -1))}
          {button(m.devices_fields_down({ name }), IconArrowDown, at === fields.length - 1, () =>
            move(at, 1),
          )}
          {button(m.devices_fields_remove({ name }), IconTrash, false, () =>
            setFields(fields.toSpliced(at, 1)),
          )}
        </div>
      ))}
      <Button
        variant="subtle"
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        disabled={fields.length >= mostFields}
        onClick={() => setFields([...fields, { key: '', name: '' }])}
      >
        {m.devices_fields_add()}
      </Button>
      {isAsked && (
        <Checkbox
          label={m.devices_fields_forget()}
          checked={forgets}
          onChange={({ currentTarget }) => setForgets(currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}

/** Returns whether a column before this one has the same name: the heads of a sheet could not tell them apart. */
function isTaken(fields: readonly OwnField[], at: number): boolean {
  const names = fields.map(({ name }) => foldHead(name));
  return names[at] !== '' && names.indexOf(names[at] ?? '') < at;
}
