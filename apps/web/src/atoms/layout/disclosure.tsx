import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { classNames } from '../styles/class-names.ts'
import styles from './disclosure.module.css'

export interface DisclosureProps {
  title: ReactNode
  /** Before the title: a status, an icon. */
  lead?: ReactNode
  /** Its summary while closed: "Temperature 0.2". */
  summary?: ReactNode
  /** At the end of the line: a status, a time. */
  end?: ReactNode
  /**
   * `row`: a row of a list, with lines between the rows. `line`: one line of a text. `section`: rarely needed settings; its content
   * stays in the page for the browser's search, otherwise it is rendered only while open.
   */
  look?: 'row' | 'line' | 'section'
  isOpenAtFirst?: boolean
  /** Opens it when it becomes true: something inside must be seen. */
  opensOn?: boolean
  children: ReactNode
}

/** A line that expands to its content. */
export function Disclosure(props: DisclosureProps) {
  const { title, lead, summary, end, look = 'row', isOpenAtFirst = false, children } = props
  const { opensOn = false } = props
  const [isOpen, setOpen] = useState(isOpenAtFirst || opensOn)
  useEffect(() => {
    if (opensOn) setOpen(true)
  }, [opensOn])
  return (
    <details
      className={classNames(styles.part, styles[look])}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={styles.head}>
        <ChevronRight size={14} className={styles.mark} aria-hidden="true" />
        {lead}
        <span className={styles.title}>{title}</span>
        {summary && <span className={styles.summary}>{summary}</span>}
        {end && <span className={styles.end}>{end}</span>}
      </summary>
      {(isOpen || look === 'section') && <div className={styles.body}>{children}</div>}
    </details>
  )
}
