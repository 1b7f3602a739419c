import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import styles from './tabs.module.css'

export interface TabItem<Id extends string> {
  id: Id
  label: ReactNode
}

export interface TabBarProps<Id extends string> {
  label: string
  tabs: readonly TabItem<Id>[]
  /** From the address, so that a link opens the same tab. */
  value: Id
  onChange(value: NoInfer<Id>): void
  /** What the chosen tab shows. */
  children: ReactNode
}

/** Parts of one page, one at a time. */
export function TabBar<Id extends string>({ label, tabs, value, onChange, children }: TabBarProps<Id>) {
  return (
    <Tabs
      className={styles.tabs ?? ''}
      selectedKey={value}
      onSelectionChange={(key) => {
        const chosen = tabs.find(({ id }) => id === key)
        if (chosen && chosen.id !== value) onChange(chosen.id)
      }}
    >
      <TabList aria-label={label} className={styles.list ?? ''}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className={styles.tab ?? ''}>
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {/* A panel that changed its id would leave its tab pointing at the former one. */}
      <TabPanel key={value} id={value} className={styles.panel ?? ''}>
        {children}
      </TabPanel>
    </Tabs>
  )
}
