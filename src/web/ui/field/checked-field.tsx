import { TextInput } from '@mantine/core';
import { type ComponentProps, useEffect, useRef } from 'react';

type Props = ComponentProps<typeof TextInput> & {
  /** The reason why the text is wrong; null if it is right. */
  problem: string | null;
  /** Does not show the problem yet, as before the field is left. */
  quiet?: boolean;
};

/** A text field that says why its text is wrong. The form cannot be sent until it is right. */
export function CheckedField({ problem, quiet = false, error, ...field }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem]);
  return <TextInput ref={input} autoComplete="off" error={quiet ? error : (problem ?? error)} {...field} />;
}
