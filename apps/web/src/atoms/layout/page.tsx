import { type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useEffect } from 'react'
import { Link } from 'react-aria-components'
import { atomWords } from '../../core/messages/en/atoms.ts'
import { TextLink } from '../controls/text-link.tsx'
import { rowStep, useLetterKeys } from '../keys/letter-keys.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './page.module.css'

export interface PageLayoutProps {
  title: string
  /** The heading is in the body, as on a page for a missing resource: above it are at most the breadcrumbs. */
  isBare?: boolean
  /** The title of the window, if it is more specific than the page's title. */
  windowTitle?: string
  /** Before the title: the tile of the thing. */
  lead?: ReactNode
  /** Beside the title: a status, a version. */
  mark?: ReactNode
  /** One line below the title. */
  detail?: ReactNode
  /** The breadcrumbs of this page, from the top. */
  crumbs?: readonly { label: string; href: string }[]
  /** Buttons, one of them primary. */
  actions?: ReactNode
  /** `narrow` for forms and texts, `medium` for an overview. */
  width?: 'wide' | 'medium' | 'narrow'
  /** Between the header and the body: tabs. */
  tabs?: ReactNode
  /** Links to the pages beside this one: at the side of header and body; on a phone, between the two. */
  rail?: ReactNode
  children: ReactNode
}

/** A page of the builder below the navigation. It also names the document. */
export function PageLayout({
  title,
  isBare = false,
  windowTitle = title,
  lead,
  mark,
  detail,
  crumbs = [],
  actions,
  width = 'wide',
  tabs,
  rail,
  children,
}: PageLayoutProps) {
  useEffect(() => {
    document.title = `${windowTitle} · Troupe`
  }, [windowTitle])
  return (
    <div className={classNames(styles.page, rail !== undefined && styles.railed)}>
      {(!isBare || crumbs.length > 0) && (
        <header className={styles.header}>
          <div className={styles.titles}>
            {crumbs.length > 0 && (
              <nav aria-label={atomWords.breadcrumbs}>
                <ol className={styles.crumbs}>
                  {crumbs.map(({ label, href }) => (
                    <li key={href}>
                      <TextLink href={href} look="plain">
                        {label}
                      </TextLink>
                    </li>
                  ))}
                </ol>
              </nav>
            )}
            {!isBare && (
              <div className={styles.title}>
                <span className={styles.heading}>
                  {lead}
                  {/* Focused when the page has replaced the focused element. */}
                  <h1 tabIndex={-1}>{title}</h1>
                </span>
                {mark}
              </div>
            )}
            {!isBare && detail && (
              <p className={classNames(styles.detail, typeof detail === 'string' && styles.clamped)}>
                {detail}
              </p>
            )}
          </div>
          {!isBare && actions && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {rail}
      {tabs}
      <div className={classNames(styles.body, width !== 'wide' && styles[width])}>{children}</div>
    </div>
  )
}

/**
 * Filters and buttons above a list. An item with `data-grow` takes the remaining width, one with `data-end` is at the
 * end.
 */
export function Toolbar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className={styles.toolbar}>
      {children}
    </section>
  )
}

export interface SectionProps {
  /** The id of the element, for links to it. */
  id?: string
  title: string
  detail?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A part of a page with a heading. */
export function Section({ id, title, detail, actions, children }: SectionProps) {
  return (
    <section id={id} className={styles.section} aria-label={title}>
      <div>
        <div className={styles.sectionHead}>
          {/* A link to the section moves the focus here. */}
          <h2 {...(id !== undefined && { tabIndex: -1 })}>{title}</h2>
          {actions}
        </div>
        {detail && <p className={styles.sectionDetail}>{detail}</p>}
      </div>
      {children}
    </section>
  )
}

/** A frame around related content; `flush` for lists and tables, which bring their own padding. */
export function Card({ flush = false, children }: { flush?: boolean; children: ReactNode }) {
  return <div className={classNames(styles.card, flush && styles.flush)}>{children}</div>
}

export interface FormProps {
  label: string
  onSubmit(): void
  /** The buttons, the primary one (`type="submit"`) first. */
  actions?: ReactNode
  ref?: Ref<HTMLFormElement>
  children: ReactNode
}

/** Fields one below the other. Enter submits. */
export function FormLayout(props: FormProps) {
  const { label, onSubmit, actions, ref, children } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form ref={ref} className={styles.form} aria-label={label} onSubmit={submit} noValidate>
      {children}
      {actions && <div className={styles.formActions}>{actions}</div>}
    </form>
  )
}

export interface Fact {
  name: string
  value: ReactNode
}

/** Names and values of one item, one below the other. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export interface RowItem {
  id: string
  title: ReactNode
  detail?: ReactNode
  /** Before the words: a status, an avatar. */
  lead?: ReactNode
  /** After the words: a time, a number. */
  end?: ReactNode
  /** Buttons beside the link. */
  actions?: ReactNode
  href?: string
}

export interface RowListProps {
  label: string
  rows: readonly RowItem[]
  /** Rows to tint, see `useArrivals`. */
  arrived?: ReadonlySet<string>
}

/** A short list of links. `J`, `K` and the arrows go along them. For many rows, sorting or selection, use the table. */
export function RowList({ label, rows, arrived }: RowListProps) {
  const hasLetters = useLetterKeys()
  const onKeyDown = (event: KeyboardEvent) => {
    const step = rowStep(event.key, hasLetters)
    if (step === null || event.metaKey || event.ctrlKey || event.altKey) return
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>(':scope > li > a')]
    const at = event.target instanceof HTMLElement ? links.indexOf(event.target) : -1
    const next = links[at + step]
    if (at === -1 || !next) return
    event.preventDefault()
    next.focus()
  }
  return (
    <ul className={styles.list} aria-label={label} onKeyDown={onKeyDown}>
      {rows.map(({ id, title, detail, lead, end, actions, href }) => {
        const parts = (
          <>
            {lead}
            <span className={styles.rowMain}>
              <span className={styles.rowTitle}>{title}</span>
              {detail && <span className={styles.rowDetail}>{detail}</span>}
            </span>
            {end && <span className={styles.rowEnd}>{end}</span>}
          </>
        )
        return (
          <li
            key={id}
            className={actions ? styles.acting : undefined}
            data-new={arrived?.has(id) || undefined}
          >
            {href ? (
              <Link href={href} className={styles.row ?? ''}>
                {parts}
              </Link>
            ) : (
              <div className={styles.row}>{parts}</div>
            )}
            {actions && <div className={styles.rowActions}>{actions}</div>}
          </li>
        )
      })}
    </ul>
  )
}
