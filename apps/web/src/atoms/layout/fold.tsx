import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './fold.module.css'

export interface FoldProps {
  title: string
  /** What it says while it is closed: "Temperature 0.2". */
  summary?: ReactNode
  isOpenAtFirst?: boolean
  children: ReactNode
}

/** Something that few people need, behind its title. What is inside stays in the page, so that a search finds it. */
export function Fold({ title, summary, isOpenAtFirst = false, children }: FoldProps) {
  return (
    <details className={styles.fold} open={isOpenAtFirst}>
      <summary className={styles.summary}>
        <ChevronRight size={14} aria-hidden="true" className={styles.mark} />
        <span className={styles.title}>{title}</span>
        {summary && <span className={styles.detail}>{summary}</span>}
      </summary>
      <div className={styles.inside}>{children}</div>
    </details>
  )
}
