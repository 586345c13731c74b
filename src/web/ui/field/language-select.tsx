import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import type { Locale } from '#shared/locale.ts';

type Props = Pick<NativeSelectProps, 'label' | 'aria-label'> & {
  value?: Locale;
  onChange: (language: Locale) => void;
};

export function LanguageSelect({ onChange, ...props }: Props) {
  return (
    <NativeSelect
      {...props}
      data={[
        { value: 'en', label: 'English' },
        { value: 'id', label: 'Bahasa Indonesia' },
      ]}
      onChange={({ target }) => onChange(target.value === 'id' ? 'id' : 'en')}
    />
  );
}
