import { type MantineColorScheme, NativeSelect, useMantineColorScheme } from '@mantine/core';
import { m } from '#shared/texts/messages.js';
import { LanguageSelect } from '#web/ui/field/language-select.tsx';
import { getLanguage, setLanguage } from './language.ts';
import styles from './preferences.module.css';

export function Preferences({ className = '' }: { className?: string | undefined }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className={`${styles.preferences} ${className}`}>
      <NativeSelect
        aria-label={m.common_theme()}
        value={colorScheme}
        data={[
          { value: 'light', label: m.common_theme_light() },
          { value: 'dark', label: m.common_theme_dark() },
          { value: 'auto', label: m.common_theme_system() },
        ]}
        onChange={({ target }) => setColorScheme(target.value as MantineColorScheme)}
      />
      <div lang={getLanguage()}>
        <LanguageSelect aria-label={m.common_language()} value={getLanguage()} onChange={setLanguage} />
      </div>
    </div>
  );
}
