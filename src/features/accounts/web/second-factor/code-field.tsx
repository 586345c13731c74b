import { TextInput } from '@mantine/core';
import { m } from '#shared/texts/messages.js';

type Props = { value: string; onChange: (value: string) => void; autoFocus?: boolean };

/** The field of a code that an authenticator app shows. Browsers and password managers fill it in. */
export function CodeField({ value, onChange, autoFocus = false }: Props) {
  return (
    <TextInput
      label={m.account_code()}
      name="code"
      autoComplete="one-time-code"
      inputMode="numeric"
      // Apps show the code in two groups.
      pattern="\s*\d{3}\s*\d{3}\s*"
      title={m.account_code_form()}
      required
      maxLength={10}
      autoFocus={autoFocus}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
