import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { atomWords } from '../../core/messages/en/atoms.ts'
import { Button } from '../controls/button.tsx'
import { classNames } from '../styles/class-names.ts'
import type { Tone } from './badge.tsx'
import { EmptyActions } from './empty-actions.ts'
import styles from './panels.module.css'
import { useSendingRefusal } from './sending-refusal.ts'

export interface EmptyProps {
  /** An icon of 22 px. */
  picture: ReactNode
  title: string
  /** One sentence that explains the list. */
  children: ReactNode
  /** One action, and one example that works. Without the right to do them, the reason takes their place. */
  actions?: ReactNode
  /** `place`: instead of a resource or a permission, the icon alone. `page`: the complete page. */
  look?: 'list' | 'place' | 'page'
}

/** Widths of the placeholder rows. */
const GHOSTS = ['46%', '62%', '38%']

/** An empty list: three faint rows, the purpose of the list, and the way to add the first row. */
export function Empty({ picture, title, children, actions, look = 'list' }: EmptyProps) {
  const Heading = look === 'page' ? 'h1' : 'h2'
  return (
    <div className={styles.empty} data-look={look}>
      {look !== 'list' ? (
        <div className={styles.sign} aria-hidden="true">
          {picture}
        </div>
      ) : (
        <div className={styles.ghosts} aria-hidden="true">
          {GHOSTS.map((width) => (
            <div key={width} className={styles.ghost}>
              <span className={styles.picture}>{picture}</span>
              <span className={styles.line} style={{ width }} />
            </div>
          ))}
        </div>
      )}
      <div className={styles.words}>
        {/* Focused when it has replaced the focused element. */}
        <Heading tabIndex={-1}>{title}</Heading>
        <p>{children}</p>
      </div>
      {actions && (
        <div className={styles.actions}>
          <EmptyActions value={true}>{actions}</EmptyActions>
        </div>
      )}
    </div>
  )
}

export interface ErrorPanelProps {
  title: string
  /** The event, as a sentence. */
  message: ReactNode
  /** For the operator's log; null: the server was not reached. */
  requestId?: string | null
  actions?: ReactNode
}

/** Something that was done and failed, at its place. Data that could not be loaded is a `LoadFailure`. */
export function ErrorPanel({ title, message, requestId, actions }: ErrorPanelProps) {
  return (
    <div className={styles.error} role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div className={styles.message}>
        <strong>{title}</strong>
        <span>{message}</span>
        {requestId && (
          <span className={styles.id}>
            {atomWords.request} <code translate="no">{requestId}</code>
          </span>
        )}
      </div>
      {actions}
    </div>
  )
}

export interface LoadFailureProps {
  /** The failed action: "The agents could not be loaded". */
  title: string
  failure: {
    readonly message: string
    /** For the operator's log; null: the server was not reached. */
    readonly requestId: string | null
    /** The same request may succeed later. */
    readonly isPassing?: boolean
  }
  /** `page`: all of the page; `block`: most of it; `row`: a small part; `line`: above the last known data, which stays. */
  look: 'page' | 'block' | 'row' | 'line'
  onRetry?: () => void
  isRetrying?: boolean
  /** Instead of *Retry*: another way on. */
  actions?: ReactNode
}

/** In place of data that could not be loaded: what happened, and what to do. Offline it comes back by itself. */
export function LoadFailure({
  title,
  failure,
  look,
  onRetry,
  isRetrying = false,
  actions,
}: LoadFailureProps) {
  const { message, requestId, isPassing } = failure
  const isOffline = useSendingRefusal() !== null
  // The bar above the page says it.
  if (isOffline && look === 'line') return null
  const isBlock = look === 'page' || look === 'block'
  const retry =
    actions ??
    (onRetry && !isOffline && (
      <Button size={isBlock ? 'medium' : 'small'} onPress={onRetry} isPending={isRetrying}>
        {atomWords.retry}
      </Button>
    ))
  const id = requestId && (
    <span className={styles.id}>
      {isPassing && look !== 'line' && `${atomWords.failsAgain} `}
      {atomWords.request} <code translate="no">{requestId}</code>
    </span>
  )
  const classes = classNames(styles.unloaded, isOffline && styles.offline)
  if (isBlock) {
    return (
      <div role="alert" className={classes} data-look={look}>
        <Empty
          look={look === 'page' ? 'page' : 'place'}
          picture={<CircleAlert size={22} />}
          title={title}
          actions={retry}
        >
          {message} {id}
        </Empty>
      </div>
    )
  }
  return (
    <div role="alert" className={classes} data-look={look}>
      <CircleAlert size={16} aria-hidden="true" />
      <div className={styles.message}>
        <strong>{title}</strong> <span>{message}</span> {id}
      </div>
      {retry}
    </div>
  )
}

const CALLOUT_ICONS = { neutral: Info, info: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert }

/** A sentence about the content below it. */
export function Callout({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  const Icon = CALLOUT_ICONS[tone]
  return (
    <div className={classNames(styles.callout, tone !== 'neutral' && styles[tone])}>
      <Icon size={16} aria-hidden="true" />
      <div>{children}</div>
    </div>
  )
}

/** A smaller part is left out while the browser is offline. */
const LINES_OF_NOTE = 4

/**
 * Grey lines where a text will be. They appear after 150 ms, so that a fast response causes no flicker. Offline nothing comes: one
 * sentence says so.
 */
export function Skeleton({ lines = 3, label = atomWords.loading }: { lines?: number; label?: string }) {
  if (useSendingRefusal() !== null) {
    return lines < LINES_OF_NOTE ? null : <p className={styles.later}>{atomWords.loadsLater}</p>
  }
  const widths = [62, 84, 45, 73, 56, 90]
  return (
    <div className={styles.skeleton} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no ids and never move
        <div key={index} className={styles.bar} style={{ width: `${widths[index % widths.length]}%` }} />
      ))}
    </div>
  )
}

export interface AvatarProps {
  name: string
  /** Determines the colour, so that a rename keeps it; absent: the name does. */
  id?: string
  /** Round for users, square for organizations and resources. */
  shape?: 'round' | 'square'
  /** `small` is 20 px, for rows. */
  size?: 'usual' | 'small'
}

/** Initials on a colour that is always the same for an id. Decorative: the name is beside it. */
export function Avatar({ name, id, shape = 'round', size = 'usual' }: AvatarProps) {
  const hue = [...(id ?? name)].reduce(
    (sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 360,
    7,
  )
  const style: CSSProperties = {
    background: `light-dark(hsl(${hue} 45% 88%), hsl(${hue} 28% 24%))`,
    color: `light-dark(hsl(${hue} 60% 24%), hsl(${hue} 60% 86%))`,
  }
  return (
    <span
      aria-hidden="true"
      className={classNames(
        styles.avatar,
        shape === 'square' && styles.square,
        size === 'small' && styles.smallAvatar,
      )}
      style={style}
    >
      {initialsOf(name)}
    </span>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}
