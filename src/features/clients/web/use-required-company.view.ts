import { type FormEvent, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';

/**
 * Props of a form that needs a company, and of its `CompanySelect`. A missing company is said also when the browser refuses
 * another field, and is the one reason not to call `submit`.
 */
export function useRequiredCompany(isMissing: boolean, submit: (event: FormEvent) => void) {
  const [isAsked, setAsked] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  return {
    form: {
      onSubmit: (event: FormEvent) => {
        setAsked(isMissing);
        if (!isMissing) return submit(event);
        event.preventDefault();
        field.current?.focus();
      },
      onInvalidCapture: () => setAsked(isMissing),
    },
    field: {
      ref: field,
      required: true,
      activeOnly: true as const,
      error: isAsked && isMissing ? m.clients_select_company() : null,
    },
  };
}
