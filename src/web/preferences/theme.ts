import { type CSSVariablesResolver, createTheme, localStorageColorSchemeManager } from '@mantine/core';

/**
 * Mantine's theme: sizes and shades. The colours of light and dark mode are CSS variables in `theme.css`.
 * Shade 7 is the product's teal (#0f6b65), shade 9 its ink (#0d2b2a).
 */
export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 6 },
  colors: {
    teal: [
      '#e8f6f4',
      '#d0ece8',
      '#a5dad3',
      '#7fd6cb',
      '#45b3a7',
      '#1f958a',
      '#137a72',
      '#0f6b65',
      '#0b4f4b',
      '#0d2b2a',
    ],
  },
  fontFamily: "'Inter Variable', 'Inter Fallback', system-ui, sans-serif",
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Roboto Mono', 'DejaVu Sans Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '8px', md: '8px', lg: '12px', xl: '12px' },
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Checkbox: { defaultProps: { radius: 'xs', size: 'sm' } },
    InputWrapper: {
      defaultProps: {
        // A star inside a label would become part of the field's name.
        withAsterisk: false,
        inputWrapperOrder: ['label', 'input', 'error', 'description'],
      },
    },
  },
});

/** Lets Mantine's own surfaces and texts use the product's colours. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--panel)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-dim)',
    '--mantine-color-placeholder': 'var(--text-dim)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-default': 'var(--panel)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--red-text)',
    '--mantine-color-disabled': 'var(--hover)',
    '--mantine-color-disabled-color': 'var(--text-dim)',
  };
  // Mantine's components take their lines and surfaces from these shades.
  const light = {
    '--mantine-color-gray-0': 'var(--hover)',
    '--mantine-color-gray-1': 'var(--hover)',
    '--mantine-color-gray-2': 'var(--line)',
    '--mantine-color-gray-3': 'var(--line-strong)',
    '--mantine-color-gray-6': 'var(--text-dim)',
    '--mantine-color-gray-7': 'var(--text-dim)',
  };
  const dark = {
    '--mantine-color-dark-1': 'var(--text-dim)',
    '--mantine-color-dark-3': 'var(--text-dim)',
    '--mantine-color-dark-4': 'var(--line-strong)',
    '--mantine-color-dark-5': 'var(--panel)',
    '--mantine-color-dark-6': 'var(--panel)',
    '--mantine-color-dark-7': 'var(--hover)',
    '--mantine-color-dark-8': 'var(--hover)',
  };
  return { variables: {}, light: { ...shared, ...light }, dark: { ...shared, ...dark } };
};

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'coverdesk.theme' });
