import { type ReactNode, Suspense } from 'react'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import styles from './lazy-dialog.module.css'

/**
 * Around dialogs whose code is loaded with their first press. While it loads, a note at the top of the window
 * acknowledges the press; it blocks nothing, because without a network the code may take long.
 */
export function LazyDialog({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Opening />}>{children}</Suspense>
}

function Opening() {
  return (
    <div role="status" aria-label={words.loading} className={styles.opening}>
      <span aria-hidden="true" className={styles.spinner} />
      <span aria-hidden="true">{words.opening}</span>
    </div>
  )
}
