import { ApiFailure } from './failure.ts';

/** A form of `useForm` whose values have the names of the call's fields. */
export type RefusableForm = {
  setErrors(errors: Record<string, string>): void;
  getInputNode(field: string): HTMLElement | null;
};

/**
 * Shows at the fields of a form why the server refused them, and moves the focus to the first.
 * @returns whether all that was refused has a field; otherwise the failure has to be shown above the form
 */
export function showRefusals(form: RefusableForm, failure: unknown): boolean {
  const details = failure instanceof ApiFailure ? failure.details : [];
  const issuesByField = Object.groupBy(details, ({ path }) => path.split('.')[0] ?? '');
  const errors: Record<string, string> = {};
  for (const [name, reasons = []] of Object.entries(issuesByField)) {
    const field = form.getInputNode(name);
    if (field) errors[name] = reasons.map((reason) => describeReason(field, reason)).join('\n');
  }
  form.setErrors(errors);
  const [first] = Object.keys(errors);
  if (first !== undefined) form.getInputNode(first)?.focus();
  return first !== undefined && Object.keys(errors).length === Object.keys(issuesByField).length;
}

/** Names the entry of a list that was typed in one field, such as addresses in lines. */
function describeReason(field: HTMLElement, { path, message }: ApiFailure['details'][number]): string {
  const [, index] = path.split('.');
  if (index === undefined || !(field instanceof HTMLTextAreaElement)) return message;
  return `${splitEntries(field.value)[Number(index)]}: ${message}`;
}

/** Splits a typed list at spaces, new lines, commas and semicolons. */
export function splitEntries(text: string): string[] {
  return text.split(/[\s,;]+/).filter((entry) => entry !== '');
}
