import { m } from '#shared/texts/messages.js';

/** Fields whose words are ours; others set their own. */
const explained = new WeakSet<HTMLInputElement>();

/** Returns the error of a field by its `required`, `type` and `minlength`; empty when valid. */
function explainField({ validity, minLength }: HTMLInputElement): string {
  if (validity.valueMissing) return m.common_field_required();
  if (validity.typeMismatch) return m.common_field_email();
  if (validity.tooShort) return m.common_field_too_short({ minimum: minLength });
  return '';
}

/** Translates every field's validation message, because the browser writes it in its own language. */
export function watchValidity(): void {
  const onInvalid = ({ target: field }: Event) => {
    if (!(field instanceof HTMLInputElement)) return;
    if (field.validity.customError && !explained.has(field)) return;
    explained.add(field);
    field.setCustomValidity(explainField(field));
  };
  const onInput = ({ target: field }: Event) => {
    if (field instanceof HTMLInputElement && explained.delete(field)) field.setCustomValidity('');
  };
  document.addEventListener('invalid', onInvalid, true);
  document.addEventListener('input', onInput, true);
}
