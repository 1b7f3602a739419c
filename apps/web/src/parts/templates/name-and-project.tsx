import type { ReactNode } from 'react'
import styles from './templates.module.css'

/** The name and the project of a new resource: side by side where there is room. */
export function NameAndProject({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>
}
