import type { ReactNode } from 'react'
import { Link } from 'react-aria-components'
import styles from './choice-list.module.css'

export interface ChoiceRow {
  id: string
  href: string
  title: ReactNode
  detail?: ReactNode
  /** Before the words: an icon. */
  lead?: ReactNode
  /** After the words: a deadline. */
  end?: ReactNode
}

/** Links, one of which is open beside the list. */
export function ChoiceList({
  label,
  rows,
  current,
  arrived,
}: {
  label: string
  rows: readonly ChoiceRow[]
  /** The id of the open one. */
  current: string | null
  /** Rows to tint, see `useArrivals`. */
  arrived?: ReadonlySet<string>
}) {
  return (
    <ul className={styles.list} aria-label={label}>
      {rows.map(({ id, href, title, detail, lead, end }) => (
        <li key={id} data-new={arrived?.has(id) || undefined}>
          <Link
            href={href}
            className={styles.row ?? ''}
            {...(id === current ? { 'aria-current': 'true', 'data-current': '' } : {})}
          >
            {lead && <span className={styles.lead}>{lead}</span>}
            <span className={styles.words}>
              <span className={styles.title}>{title}</span>
              <span className={styles.line}>
                <span className={styles.detail}>{detail}</span>
                {end && <span className={styles.end}>{end}</span>}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
