import type { ReactNode } from 'react'
import { Link } from 'react-aria-components'
import { classNames } from '../styles/class-names.ts'
import styles from './side-navigation.module.css'

export interface SideNavigationProps {
  label: string
  items: readonly { id: string; label: string; href: string; isCurrent: boolean }[]
  /** `wide` for tables. */
  width?: 'narrow' | 'wide'
  children: ReactNode
}

/** Pages that belong together, with links to each of them; on a phone the links are one line that scrolls. */
export function SideNavigation({ label, items, width = 'narrow', children }: SideNavigationProps) {
  return (
    <div className={classNames(styles.layout, width === 'wide' && styles.wide)}>
      <nav aria-label={label} className={styles.nav}>
        <ul>
          {items.map(({ id, label: text, href, isCurrent }) => (
            <li key={id}>
              <Link
                href={href}
                className={styles.item ?? ''}
                {...(isCurrent ? { 'aria-current': 'page', 'data-current': '' } : {})}
              >
                {text}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.body}>{children}</div>
    </div>
  )
}
