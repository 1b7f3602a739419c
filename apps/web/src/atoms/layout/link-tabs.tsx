import { Link } from 'react-aria-components'
import styles from './tabs.module.css'
import { useShownTab } from './use-shown-tab.ts'

export interface LinkTabsProps {
  label: string
  tabs: readonly { href: string; label: string; isCurrent: boolean }[]
}

/** Sibling pages as tabs; each has its own URL. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  const row = useShownTab<HTMLUListElement>(tabs.find(({ isCurrent }) => isCurrent)?.href)
  return (
    <nav aria-label={label} className={styles.links}>
      <ul ref={row} className={styles.list}>
        {tabs.map(({ href, label: text, isCurrent }) => (
          <li key={href}>
            <Link
              href={href}
              className={styles.tab ?? ''}
              {...(isCurrent ? { 'aria-current': 'page', 'data-selected': '' } : {})}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
