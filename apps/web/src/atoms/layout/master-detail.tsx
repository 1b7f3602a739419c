import type { ReactNode } from 'react'
import styles from './master-detail.module.css'

export interface MasterDetailProps {
  /** The title of the list: "Waiting". */
  label: string
  list: ReactNode
  /** The selected item; on a narrow window only one of the two is shown. */
  detail: ReactNode
  isDetailOpen: boolean
}

/** A list and beside it the selected item; below 1,024 px one after the other. */
export function MasterDetail({ label, list, detail, isDetailOpen }: MasterDetailProps) {
  return (
    <div className={styles.split} data-open={isDetailOpen || undefined}>
      <section className={styles.list} aria-label={label}>
        {list}
      </section>
      <div className={styles.detail}>{detail}</div>
    </div>
  )
}
