import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { ListBox, ListBoxItem, Popover } from 'react-aria-components'
import styles from './options.module.css'

/** One option of a list. */
export interface Option<Id extends string = string> {
  id: Id
  label: string
  /** A second line. */
  detail?: string
  icon?: ReactNode
  isDisabled?: boolean
}

/** The popover of a select or a combo box. */
export function OptionList({ options, empty }: { options: readonly Option[]; empty: string }) {
  return (
    <Popover className={styles.popover ?? ''} offset={4}>
      <ListBox
        className={styles.list ?? ''}
        items={options}
        renderEmptyState={() => <div className={styles.empty}>{empty}</div>}
      >
        {(option) => <OptionRow option={option} />}
      </ListBox>
    </Popover>
  )
}

function OptionRow({ option }: { option: Option }) {
  return (
    <ListBoxItem
      id={option.id}
      textValue={option.label}
      isDisabled={option.isDisabled ?? false}
      className={styles.option ?? ''}
    >
      {option.icon}
      <div className={styles.words}>
        <span>{option.label}</span>
        {option.detail && <div className={styles.detail}>{option.detail}</div>}
      </div>
      <Check size={14} className={styles.check} aria-hidden="true" />
    </ListBoxItem>
  )
}
