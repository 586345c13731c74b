import { TextInput } from '@mantine/core';

type Props = {
  label: string;
  hint?: string;
  value: string;
  min: number;
  max: number;
  onChange: (typed: string) => void;
};

/** A required whole number. Its value is a text, so that every keystroke can be judged. */
export function TicketsNumberField({ label, hint, value, min, max, onChange }: Props) {
  return (
    <TextInput
      type="number"
      inputMode="numeric"
      label={label}
      description={hint}
      inputWrapperOrder={['label', 'input', 'description']}
      min={min}
      max={max}
      step={1}
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
