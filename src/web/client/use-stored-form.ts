import { type UseFormReturnType, useForm } from '@mantine/form';
import { type FetchQueryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

type Options<Stored, Values> = {
  /** The settings that the screen has read last. */
  stored: Stored;
  /** Returns the fields' values, and the `version` that a save is based on. */
  valuesOf: (stored: Stored) => Values;
  /**
   * Reads the settings again: their query, or a function if they are a part of another answer. A form that sends only `edited`
   * needs none.
   */
  reread?: FetchQueryOptions<Stored> | (() => Promise<Stored>);
};

/**
 * The form of stored settings. While no field is edited, it shows each change that the screen reads. While one is, it keeps
 * its version, so that the server refuses a save over a colleague's change.
 */
export function useStoredForm<Stored, Values extends Record<string, unknown>>({
  stored,
  valuesOf,
  reread = async () => stored,
}: Options<Stored, Values>) {
  const queries = useQueryClient();
  const read = typeof reread === 'function' ? reread : () => queries.fetchQuery(reread);
  const form = useForm<Values>({ initialValues: valuesOf(stored) });
  const edited = listEdited(form, form.getInitialValues());
  const isEdited = edited.length > 0;
  const latest = useRef(stored);
  // The settings that a save has replaced. The screen renders with them once more before it has the answer.
  const replaced = useRef<Stored>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another answer, or an edit taken back, changes the form
  useEffect(() => {
    latest.current = stored;
    if (!isEdited && stored !== replaced.current) changeUnedited(form, valuesOf(stored));
  }, [stored, isEdited]);
  return {
    form,
    /** The edited fields alone, for a save that leaves the others as somebody may have changed them. */
    edited: Object.fromEntries(edited) as Partial<Values>,
    /** Shows the settings as they are stored now, except in edited fields. */
    follow: async () => changeUnedited(form, valuesOf(await read())),
    /** Shows the answer to a save, except in fields that were edited after it was sent. */
    showSaved: (saved: Stored, sent: Values) => {
      replaced.current = latest.current;
      changeUnedited(form, valuesOf(saved), sent);
    },
  };
}

/**
 * Changes the fields that were not edited.
 * @param base the values before the edits
 */
function changeUnedited<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  stored: Values,
  base = form.getInitialValues(),
): void {
  const edited = listEdited(form, base);
  form.setInitialValues(stored);
  form.setValues({ ...stored, ...Object.fromEntries(edited) });
}

// Not `isDirty`, which a successful save leaves as it was.
function listEdited<Values extends Record<string, unknown>>(form: UseFormReturnType<Values>, base: Values) {
  const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return Object.entries(form.getValues()).filter(([name, value]) => !isEqual(value, base[name]));
}
