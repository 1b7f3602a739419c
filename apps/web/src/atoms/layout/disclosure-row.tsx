import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import styles from './disclosure-row.module.css'

export interface DisclosureRowProps {
  title: ReactNode
  /** At the end of the row: a status. */
  end?: ReactNode
  isOpenAtFirst?: boolean
  /** What the open row shows; it is made when the row is first opened. */
  children: ReactNode
}

/** A row that opens. Rows below each other are one list. */
export function DisclosureRow({ title, end, isOpenAtFirst = false, children }: DisclosureRowProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <details className={styles.row} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.head}>
        <ChevronRight size={14} className={styles.mark} aria-hidden="true" />
        <span className={styles.title}>{title}</span>
        {end}
      </summary>
      {isOpen && <div className={styles.body}>{children}</div>}
    </details>
  )
}
