import { Tabs as MantineTabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.layer.css';
import type { ReactNode } from 'react';
import layout from '#web/styles/layout.module.css';
import styles from './tabs.module.css';

type Props<T extends string> = {
  label: string;
  tabs: readonly { value: T; label: string }[];
  value: T;
  /** `replace`: chosen by a key. Tabs that the keys pass through are no steps for Back. */
  onChange: (value: T, how: { replace: boolean }) => void;
  aside?: ReactNode;
  children: ReactNode;
};

/** A row of tabs and the content of the chosen one. Arrows, Home and End move the focus, which chooses. */
export function Tabs<T extends string>({ label, tabs, value, onChange, aside, children }: Props<T>) {
  const choose = (tab: T, replace: boolean) => tab !== value && onChange(tab, { replace });
  return (
    <MantineTabs value={value} activateTabWithKeyboard={false}>
      <div className={`${layout.spread} ${styles.tabsBar}`}>
        <MantineTabs.List aria-label={label}>
          {tabs.map((tab) => (
            <MantineTabs.Tab
              className={styles.tab}
              key={tab.value}
              value={tab.value}
              onClick={() => choose(tab.value, false)}
              onFocus={(event) => event.currentTarget.matches(':focus-visible') && choose(tab.value, true)}
            >
              {tab.label}
            </MantineTabs.Tab>
          ))}
        </MantineTabs.List>
        {aside}
      </div>
      <MantineTabs.Panel value={value}>{children}</MantineTabs.Panel>
    </MantineTabs>
  );
}
