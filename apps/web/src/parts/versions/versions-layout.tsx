import type { ReactNode } from 'react'
import { Card } from '../../atoms/layout/page.tsx'
import { versionListWords as words } from '../../core/messages/en/parts/versions.ts'
import styles from './versions.module.css'

export interface VersionsLayoutProps {
  /** The label of the list, for screen readers. */
  label: string
  /** {@link VersionRow}s, newest first. */
  rows: ReactNode
  /** Below the list: older versions. */
  more?: ReactNode
  /** Whether the user requested a comparison: a narrow window then shows it above the list. */
  isAsked: boolean
  children: ReactNode
}

/** The versions of one resource: the list, and the comparison beside it. Used for every kind of resource with versions. */
export function VersionsLayout({ label, rows, more, isAsked, children }: VersionsLayoutProps) {
  return (
    <div className={styles.panel} data-asked={isAsked || undefined}>
      <div className={styles.timeline}>
        <Card flush>
          <ol aria-label={label}>{rows}</ol>
        </Card>
        {more}
      </div>
      <div className={styles.diff}>{children}</div>
    </div>
  )
}

/** Replaces the comparison while nothing is compared. */
export function VersionsHint() {
  return <p className={styles.quiet}>{words.hint}</p>
}
