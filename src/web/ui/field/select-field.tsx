import { IconSelector } from '@tabler/icons-react';
import { useId } from 'react';
import './select-field.css';

export type Option = {
  value: string;
  label: string;
  /** What else tells it apart, where there is room, the longest first: it is searched, too. */
  detail?: readonly string[];
};

type Props = {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
  /** Label and list side by side. */
  inline?: boolean;
  /** The label is there for screen readers alone. */
  hideLabel?: boolean;
  disabled?: boolean;
};

/** A short list to choose from: the browser's own, so that every body and device knows it. Long ones: `Combobox`. */
export function SelectField({
  label,
  value,
  options,
  onChange,
  inline = false,
  hideLabel = false,
  disabled = false,
}: Props) {
  const id = useId();
  return (
    <div className={inline ? 'select-field inline' : 'select-field'}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : undefined}>
        {label}
      </label>
      <div className="select-box">
        <select id={id} value={value} disabled={disabled} onChange={(event) => onChange(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <IconSelector size={14} aria-hidden="true" />
      </div>
    </div>
  );
}
