import { Button, Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { putFields } from '#features/devices/fields.contract.ts';
import { foldHead, maxFieldNameLength, maxFields } from '#features/devices/fields.shared.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { ApiFailure } from '#web/client/failure.ts';
import { storeAnswer } from '#web/client/read.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { IconButton } from '#web/ui/action/icon-button.tsx';
import { softDisabledProps } from '#web/ui/action/soft-disabled-props.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { CheckedField } from '#web/ui/field/checked-field.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { passFocusOn } from '#web/ui/overlay/move-focus.ts';
import { ReadDialog } from '#web/ui/overlay/read-dialog.tsx';
import { mergeEntries, toEntries, toEntry, unnamed } from './field-entries.ts';
import { fieldsQuery, type OwnField } from './fields.api.ts';
import styles from './fields-dialog.module.css';
import { makeKey } from './make-key.ts';

type Props = { companyCode: string; onClose: () => void };

/** The own columns of a company: added, renamed, moved and removed. */
export function FieldsDialog({ companyCode, onClose }: Props) {
  return (
    <ReadDialog title={m.devices_fields()} query={fieldsQuery(companyCode)} onClose={onClose}>
      {({ fields }) => <FieldsForm companyCode={companyCode} storedFields={fields} onClose={onClose} />}
    </ReadDialog>
  );
}

function FieldsForm({ companyCode, storedFields, onClose }: Props & { storedFields: readonly OwnField[] }) {
  const queries = useQueryClient();
  /** The stored columns on which the edits are based. */
  const [baseFields, setBaseFields] = useState(storedFields);
  const [fields, setFields] = useState(() => toEntries(storedFields));
  const [forgets, setForgets] = useState(false);
  /** Whether the server said that a removed column has values. */
  const [isAsked, setAsked] = useState(false);
  const names = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const keyedFields = giveKeys(fields, baseFields);
  const isEdited = !isSame(keyedFields, baseFields);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another answer, or an edit taken back, changes the form
  useEffect(() => {
    if (isEdited || isSame(storedFields, baseFields)) return;
    setBaseFields(storedFields);
    setFields(toEntries(storedFields));
  }, [storedFields, isEdited]);
  const follow = async () => {
    const { fields: stored } = await queries.fetchQuery(fieldsQuery(companyCode));
    setBaseFields(stored);
    setFields((present) => mergeEntries(present, baseFields, stored));
  };
  const save = async () => {
    try {
      const saved = await call<typeof putFields>('PUT /fields/{company_code}', {
        params: { company_code: companyCode },
        query: { forget: forgets ? 'true' : 'false' },
        body: { fields: keyedFields, known: [...baseFields] },
      });
      await storeAnswer(queries, fieldsQuery(companyCode), saved);
    } catch (failure) {
      if (failure instanceof ApiFailure && failure.code === 'field_has_values') setAsked(true);
      throw failure;
    }
    void queries.invalidateQueries({ queryKey: ['devices'] });
    toast.success(m.devices_fields_saved());
  };
  const isFull = fields.length >= maxFields;
  const change = (at: number, name: string) =>
    setFields(fields.map((field, index) => (index === at ? { ...field, name } : field)));
  const move = (at: number, by: -1 | 1) => {
    const moved = fields.toSpliced(at, 1);
    const [field] = fields.slice(at, at + 1);
    if (field) setFields(moved.toSpliced(at + by, 0, field));
  };
  const remove = (at: number) => {
    // First, so that the removed button does not take the focus with it.
    const next = names.current?.querySelectorAll('input')[at + 1];
    (next ?? addButton.current)?.focus();
    setFields(fields.toSpliced(at, 1));
  };
  return (
    <FormDialog
      title={m.devices_fields()}
      submitLabel={m.devices_fields_save()}
      busyLabel={m.devices_fields_saving()}
      fallback={m.devices_fields_failed()}
      follow={follow}
      onSubmit={save}
      onClose={onClose}
    >
      {isAsked && (
        <Checkbox
          label={m.devices_fields_forget()}
          checked={forgets}
          onChange={({ currentTarget }) => setForgets(currentTarget.checked)}
        />
      )}
      <p className={typography.dim}>{m.devices_fields_text()}</p>
      <div ref={names} className={layout.tightStack}>
        {fields.map(({ id, key, name }, at) => (
          <div key={id} className={styles.field}>
            <CheckedField
              className={styles.fieldName ?? ''}
              aria-label={m.devices_fields_name({ number: String(at + 1) })}
              problem={isTaken(fields, at) ? m.devices_fields_name_taken() : null}
              maxLength={maxFieldNameLength}
              autoFocus={key === ''}
              value={name}
              onChange={({ currentTarget }) => change(at, currentTarget.value)}
            />
            <IconButton
              label={m.devices_fields_up({ name })}
              disabled={at === 0}
              onPress={() => move(at, -1)}
            >
              <IconArrowUp size={16} aria-hidden="true" />
            </IconButton>
            <IconButton
              label={m.devices_fields_down({ name })}
              disabled={at === fields.length - 1}
              onPress={() => move(at, 1)}
            >
              <IconArrowDown size={16} aria-hidden="true" />
            </IconButton>
            <IconButton
              ref={passFocusOn}
              label={m.devices_fields_remove({ name })}
              onPress={() => remove(at)}
            >
              <IconTrash size={16} aria-hidden="true" />
            </IconButton>
          </div>
        ))}
      </div>
      <Button
        ref={addButton}
        variant="subtle"
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        // Not disabled: the focus goes to it when the last of ten columns is removed.
        {...softDisabledProps(isFull, () => setFields([...fields, toEntry(unnamed)]))}
      >
        {m.devices_fields_add()}
      </Button>
    </FormDialog>
  );
}

const isSame = (one: readonly OwnField[], other: readonly OwnField[]) =>
  JSON.stringify(one) === JSON.stringify(other);

/** Returns the columns that have a name, each with a key: new ones get keys that neither they nor the stored ones have. */
function giveKeys(fields: readonly OwnField[], stored: readonly OwnField[]): OwnField[] {
  const named = fields.filter(({ name }) => name.trim() !== '');
  // Also those of removed columns, whose values a new column must not take over.
  const usedKeys = new Set([...stored, ...named].map(({ key }) => key));
  return named.map(({ key, name }) => {
    const own = key === '' ? makeKey(name, usedKeys) : key;
    usedKeys.add(own);
    return { key: own, name: name.trim() };
  });
}

/** Returns whether a column before this one has the same name: the heads of a sheet could not tell them apart. */
function isTaken(fields: readonly OwnField[], at: number): boolean {
  const names = fields.map(({ name }) => foldHead(name));
  return names[at] !== '' && names.indexOf(names[at] ?? '') < at;
}
