import type { ReactNode } from 'react'
import { Link } from 'react-aria-components'
import styles from './stat-tile.module.css'

export interface StatTileProps {
  label: string
  value: string
  /** Below the value: its comparison, such as the period before. */
  detail?: string | undefined
  /** Its trend. */
  spark?: ReactNode
  href: string
}

/** One number that links to its source. */
export function StatTile({ label, value, detail, spark, href }: StatTileProps) {
  return (
    <Link href={href} className={styles.tile ?? ''}>
      <span className={styles.label}>{label}</span>
      <span className={styles.row}>
        <span className={styles.value}>{value}</span>
        {spark}
      </span>
      {detail !== undefined && <span className={styles.detail}>{detail}</span>}
    </Link>
  )
}
