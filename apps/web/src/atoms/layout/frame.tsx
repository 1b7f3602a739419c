import { PanelLeft } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-aria-components'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { Button } from '../controls/button.tsx'
import { lazyPart } from '../parts/lazy-part.ts'
import { loadCode } from '../parts/load-code.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './frame.module.css'

const loadDrawer = () => loadCode(() => import('./drawer.tsx'))
/** Of phones only. */
const Drawer = lazyPart(async () => (await loadDrawer()).Drawer)

/** One entry of the navigation. */
export interface NavigationItem {
  id: string
  label: string
  icon: ReactNode
  href: string
  isCurrent: boolean
  /** What waits there, such as reviews; 0 shows nothing. */
  count?: number
}

export interface NavigationGroup {
  id: string
  title?: string
  items: readonly NavigationItem[]
}

export interface AppFrameProps {
  /** Above the entries: which organization. */
  head: ReactNode
  groups: readonly NavigationGroup[]
  /** Below the entries: account, theme. */
  foot: ReactNode
  /** In the bar of a phone, between the menu button and `barEnd`. */
  barTitle: ReactNode
  barEnd?: ReactNode
  /** Above everything: offline, a new version. */
  strips?: ReactNode
  children: ReactNode
}

/** Navigation at the side and the page beside it; below 768 px a bar with a drawer. */
export function AppFrame({ head, groups, foot, barTitle, barEnd, strips, children }: AppFrameProps) {
  const [isOpen, setOpen] = useState(false)
  const navigation = (close: () => void) => (
    <div className={styles.nav}>
      {head}
      <NavigationGroups groups={groups} onGo={close} />
      <div className={styles.foot}>{foot}</div>
    </div>
  )
  return (
    <>
      <a href="#content" className={styles.skip}>
        {words.skip}
      </a>
      {strips}
      <div className={styles.bar}>
        <Button
          emphasis="quiet"
          icon={<PanelLeft size={18} />}
          aria-label={words.menu}
          onFocus={() => void loadDrawer().catch(() => undefined)}
          onPress={() => setOpen(true)}
        />
        <div>{barTitle}</div>
        {barEnd}
      </div>
      <div className={styles.frame}>
        {navigation(() => undefined)}
        <main id="content" className={styles.content} tabIndex={-1}>
          {children}
        </main>
      </div>
      {isOpen && (
        <Suspense>
          <Drawer onClose={() => setOpen(false)}>{navigation(() => setOpen(false))}</Drawer>
        </Suspense>
      )}
    </>
  )
}

function NavigationGroups({ groups, onGo }: { groups: readonly NavigationGroup[]; onGo(): void }) {
  return (
    <nav aria-label={words.pages} className={styles.groups}>
      {groups.map(({ id, title, items }) => (
        <div key={id}>
          {title && <div className={styles.groupTitle}>{title}</div>}
          <ul>
            {items.map((item) => (
              <li key={item.id}>
                <Link
                  href={item.href}
                  onPress={onGo}
                  className={styles.item ?? ''}
                  {...(item.isCurrent ? { 'aria-current': 'page', 'data-current': '' } : {})}
                >
                  {item.icon}
                  <span className={styles.label}>{item.label}</span>
                  {item.count ? (
                    <span className={styles.count}>
                      {item.count}
                      <span className="visually-hidden"> {words.waiting}</span>
                    </span>
                  ) : null}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** One line above every page, such as "You are offline". */
export function Strip({ tone = 'warn', children }: { tone?: 'warn' | 'info'; children: ReactNode }) {
  return (
    <div role="status" className={classNames(styles.strip)} data-tone={tone}>
      {children}
    </div>
  )
}
