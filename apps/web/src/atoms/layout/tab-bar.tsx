import { type ReactNode, useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import styles from './tabs.module.css'
import { useShownTab } from './use-shown-tab.ts'

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
  /** A tab that stays in the page once it was shown: unparsable input exists only in its fields. */
  kept?: { id: Id; content: ReactNode }
  /** The content of the selected tab, unless it is a kept one. */
  children: ReactNode
}

/** Parts of one page, one at a time. */
export function TabBar<Id extends string>(props: TabBarProps<Id>) {
  const { label, tabs, value, onChange, kept, children } = props
  const [wasShown, setWasShown] = useState(false)
  const row = useShownTab<HTMLDivElement>(value)
  const isShown = value === kept?.id
  if (isShown && !wasShown) setWasShown(true)
  return (
    <Tabs
      className={styles.tabs ?? ''}
      selectedKey={value}
      onSelectionChange={(key) => {
        const chosen = tabs.find(({ id }) => id === key)
        if (chosen && chosen.id !== value) onChange(chosen.id)
      }}
    >
      <TabList ref={row} aria-label={label} className={styles.list ?? ''}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className={styles.tab ?? ''}>
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {kept && (isShown || wasShown) && (
        <TabPanel id={kept.id} shouldForceMount className={styles.panel ?? ''}>
          {kept.content}
        </TabPanel>
      )}
      {/* A panel that changed its id would leave its tab pointing at the previous one. */}
      {!isShown && (
        <TabPanel key={value} id={value} className={styles.panel ?? ''}>
          {children}
        </TabPanel>
      )}
    </Tabs>
  )
}
