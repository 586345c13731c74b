import { NativeSelect } from '@mantine/core';
import { m } from '#shared/texts/messages.js';
import { useUser } from '#web/client/session.ts';
import layout from '#web/styles/layout.module.css';
import { type OwnField, useFields } from './fields.api.ts';
import { FieldsNotRead } from './fields-not-read.view.tsx';

type Mapping = Readonly<Record<string, string>>;

/**
 * Leaves out own columns that the company does not have, such as removed ones.
 * @returns null without own columns, and while they are not known
 */
export function keepMapping(mapping: Mapping, fields: readonly OwnField[]): Mapping | null {
  if (fields.length === 0) return null;
  const isOwn = (key: string) => fields.some((field) => field.key === key);
  return Object.fromEntries(Object.entries(mapping).filter(([, key]) => isOwn(key)));
}

type Props = {
  /** The columns of the sheet with their heads, but that of the serials. */
  columns: readonly { column: string; head: string }[];
  /** The own columns by column of the sheet: `{ "B": "employee" }`. */
  mapping: Mapping;
  onMap: (mapping: Mapping) => void;
};

/** Chooses the column of a sheet that fills each own column. Without own columns nothing, unless they could not be read. */
export function FieldMapping({ columns, mapping, onMap }: Props) {
  const { companyCode } = useUser();
  const fields = useFields(companyCode);
  if (columns.length === 0) return null;
  if (fields.length === 0) return <FieldsNotRead companyCode={companyCode} />;
  const choose = (key: string, column: string) => {
    const others = Object.entries(mapping).filter(([letter, mapped]) => mapped !== key && letter !== column);
    onMap(Object.fromEntries(column === '' ? others : [...others, [column, key]]));
  };
  return (
    <fieldset>
      <legend>{m.devices_fields()}</legend>
      <div className={layout.fieldGrid}>
        {fields.map(({ key, name }) => (
          <NativeSelect
            key={key}
            label={name}
            value={Object.keys(mapping).find((column) => mapping[column] === key) ?? ''}
            data={[
              { value: '', label: m.devices_fields_unmapped() },
              ...columns.map(({ column, head }) => ({
                value: column,
                label: head === '' ? column : `${column} · ${head}`,
              })),
            ]}
            onChange={({ target }) => choose(key, target.value)}
          />
        ))}
      </div>
    </fieldset>
  );
}
