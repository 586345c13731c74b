import { TextInput } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import buttons from '#web/styles/buttons.module.css';
import type { Rule } from './password-rules.ts';

type Props = {
  label: string;
  autoComplete: 'current-password' | 'new-password';
  value?: string;
  onChange: (value: string) => void;
  /** The rules of a new password. */
  rules?: Rule[];
  minLength?: number;
  hint?: string;
  /** Why the server refused the password. */
  error?: ReactNode;
  'data-path'?: string;
};

/** A password field with a show button, whose label does not repeat the field's name. */
export function PasswordField(props: Props) {
  const { label, autoComplete, value = '', onChange, rules, minLength, hint } = props;
  const [isVisible, setVisible] = useState(false);
  const id = useId();
  return (
    <TextInput
      id={id}
      label={label}
      labelProps={{ id: `${id}-label` }}
      type={isVisible ? 'text' : 'password'}
      autoComplete={autoComplete}
      required
      minLength={minLength}
      value={value}
      description={hint}
      error={props.error}
      data-path={props['data-path']}
      // Mantine takes an `aria-describedby` for its own description alone.
      aria-description={rules?.map(({ text }) => text).join(', ')}
      onChange={(event) => onChange(event.target.value)}
      rightSection={
        <button
          type="button"
          className={buttons.iconButton}
          aria-label={isVisible ? m.account_hide() : m.account_show()}
          aria-describedby={`${id}-label`}
          onClick={() => setVisible(!isVisible)}
        >
          {isVisible ? <IconEyeOff size={18} aria-hidden="true" /> : <IconEye size={18} aria-hidden="true" />}
        </button>
      }
    />
  );
}
