import { PanelLeft } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-aria-components'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { Button } from '../controls/button.tsx'
import { lazyPart } from '../parts/lazy-part.ts'
import { loadCode } from '../parts/load-code.ts'
import { LoadFailure, Skeleton } from '../states/panels.tsx'
import { useSendingRefusal } from '../states/sending-refusal.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './frame.module.css'

const loadDrawer = () => loadCode(() => import('./drawer.tsx'))
/** Used by phones only. */
const Drawer = lazyPart(async () => (await loadDrawer()).Drawer)

/** One entry of the navigation. */
export interface NavigationItem {
  id: string
  label: string
  icon: ReactNode
  href: string
  isCurrent: boolean
  /** The number of open items, such as reviews; 0 shows nothing. */
  count?: number
}

export interface NavigationGroup {
  id: string
  title?: string
  items: readonly NavigationItem[]
}

export interface AppFrameProps {
  /** Above the entries: the organization. */
  head: ReactNode
  groups: readonly NavigationGroup[]
  /** The links in a phone's bottom bar, unless a bar of the page replaces it. */
  footItems: readonly NavigationItem[]
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
export function AppFrame(props: AppFrameProps) {
  const { head, groups, footItems, foot, barTitle, barEnd, strips, children } = props
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
      {footItems.length > 1 && (
        <nav aria-label={words.phonePages} className={styles.bottom}>
          <ul>
            {footItems.map((item) => (
              <li key={item.id}>
                <NavigationLink item={item} look="foot" />
              </li>
            ))}
          </ul>
        </nav>
      )}
      {isOpen && (
        <Suspense>
          <Drawer onClose={() => setOpen(false)}>{navigation(() => setOpen(false))}</Drawer>
        </Suspense>
      )}
    </>
  )
}

/** The frame before the session is known: its surfaces have their final positions, and the page loads. */
export function FrameOutline() {
  return (
    <>
      <div className={styles.bar} />
      <div className={styles.frame}>
        <div className={styles.nav} />
        <main className={styles.content}>
          <PageOutline />
        </main>
      </div>
    </>
  )
}

/** Beside the navigation while the code of a page loads. Offline nothing comes, and the page says so. */
export function PageOutline() {
  if (useSendingRefusal() !== null) {
    const { title, message } = words.pageLater
    return <LoadFailure look="page" title={title} failure={{ message, requestId: null }} />
  }
  return (
    <div className={styles.outline}>
      <h1 className="visually-hidden">{words.loading}</h1>
      <Skeleton lines={6} />
    </div>
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
                <NavigationLink item={item} onGo={onGo} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

interface NavigationLinkProps {
  item: NavigationItem
  /** `foot`: the icon above its word. */
  look?: 'line' | 'foot'
  onGo?(): void
}

function NavigationLink({ item, look = 'line', onGo }: NavigationLinkProps) {
  const { href, isCurrent, icon, label, count } = item
  return (
    <Link
      href={href}
      {...(onGo ? { onPress: onGo } : {})}
      className={(look === 'foot' ? styles.footItem : styles.item) ?? ''}
      {...(isCurrent ? { 'aria-current': 'page', 'data-current': '' } : {})}
    >
      {icon}
      <span className={styles.label}>{label}</span>
      {count ? (
        <span className={styles.count}>
          {count}
          <span className="visually-hidden"> {words.waiting}</span>
        </span>
      ) : null}
    </Link>
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
