import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import styles from './folded-part.module.css'

export interface FoldedPartProps {
  title: ReactNode
  /** Before the title: a status. */
  lead?: ReactNode
  /** At the end of the line: a time. */
  end?: ReactNode
  isOpenAtFirst?: boolean
  /** Rendered only while it is open. */
  children: ReactNode
}

/** One line that opens to its details. */
export function FoldedPart({ title, lead, end, isOpenAtFirst = false, children }: FoldedPartProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <details className={styles.part} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.line}>
        <ChevronRight size={14} className={styles.arrow} aria-hidden="true" />
        {lead}
        <span className={styles.title}>{title}</span>
        {end && <span className={styles.end}>{end}</span>}
      </summary>
      {isOpen && <div className={styles.body}>{children}</div>}
    </details>
  )
}
