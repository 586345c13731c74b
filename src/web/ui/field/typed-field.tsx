import { TextInput, type TextInputProps } from '@mantine/core';
import { useTyped } from './use-typed.ts';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'onBlur'> & {
  value: string;
  /** Returns the allowed part of the typed text; by default all of it. */
  clean?: (text: string) => string;
  onTyped: (text: string) => void;
};

/** A field that narrows a list when typing pauses or the field is left. */
export function TypedField({ value, clean = (text) => text, onTyped, ...props }: Props) {
  const { typed, setTyped, search } = useTyped(value, onTyped);
  return (
    <TextInput
      {...props}
      value={typed}
      onChange={({ currentTarget }) => setTyped(clean(currentTarget.value))}
      onBlur={search}
    />
  );
}
