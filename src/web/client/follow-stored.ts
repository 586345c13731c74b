import type { UseFormReturnType } from '@mantine/form';

/**
 * Shows the stored values in a form. Fields that were changed here keep their values.
 * @param base the values that were changed: those that the form began with, or those that were just saved
 */
export function followStored<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  stored: Values,
  base = form.getInitialValues(),
): void {
  // Not `isDirty`, which a successful save leaves as it was.
  const edited = Object.entries(form.getValues()).filter(([name, value]) => value !== base[name]);
  form.setInitialValues(stored);
  form.setValues({ ...stored, ...Object.fromEntries(edited) });
}
