import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: ReactNode;
}

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly value: Name;
  onChange(name: NoInfer<Name>): void;
  /** Content of the chosen tab */
  readonly children: ReactNode;
}

export function Tabs<Name extends string>({ label, tabs, value, onChange, children }: TabsProps<Name>) {
  return (
    <Base.Root value={value} onValueChange={(name: Name) => onChange(name)}>
      <Base.List aria-label={label} className={styles.list}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.name} value={tab.name} className={styles.tab}>
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value} className={styles.panel}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
