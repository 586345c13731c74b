import type { UseFormReturnType } from '@mantine/form';

/** Shows in a form what is stored now. Fields that were changed here keep their values. */
export function followStored<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  stored: Values,
): void {
  const edited = Object.entries(form.getValues()).filter(([name]) => form.isDirty(name));
  form.setInitialValues(stored);
  form.setValues({ ...stored, ...Object.fromEntries(edited) });
}
