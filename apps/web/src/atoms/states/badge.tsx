import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  Clock,
  LoaderCircle,
  type LucideIcon,
  Minus,
  TriangleAlert,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './badge.module.css'

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info'

export interface BadgeProps {
  tone?: Tone
  icon?: ReactNode
  children: ReactNode
}

/** A short word beside a name. */
export function Badge({ tone = 'neutral', icon, children }: BadgeProps) {
  return (
    <span className={classNames(styles.badge, tone !== 'neutral' && styles[tone])}>
      {icon}
      <span className={styles.word}>{children}</span>
    </span>
  )
}

/** Each state has a shape, a colour and a word, so that none of them is needed to tell states apart. */
const STATES = {
  queued: { icon: CircleDashed, tone: 'neutral', word: 'Queued' },
  running: { icon: LoaderCircle, tone: 'info', word: 'Running' },
  waiting: { icon: Clock, tone: 'warn', word: 'Waiting' },
  paused: { icon: CirclePause, tone: 'warn', word: 'Paused' },
  completed: { icon: CircleCheck, tone: 'good', word: 'Completed' },
  failed: { icon: CircleX, tone: 'bad', word: 'Failed' },
  cancelled: { icon: Minus, tone: 'neutral', word: 'Canceled' },
  warning: { icon: TriangleAlert, tone: 'warn', word: 'Attention' },
} as const satisfies Record<string, { icon: LucideIcon; tone: Tone; word: string }>

export type State = keyof typeof STATES

export interface StatusProps {
  state: State
  /** Instead of the usual word of the state. */
  children?: ReactNode
  /** `plain` for the cells of a table, `icon` where there is no room for the word, which screen readers read. */
  look?: 'badge' | 'plain' | 'icon'
}

/** The state of something that runs. */
export function Status({ state, children, look = 'plain' }: StatusProps) {
  const { icon: Icon, tone, word } = STATES[state]
  const classes = classNames(
    styles.badge,
    look !== 'badge' && styles.plain,
    tone !== 'neutral' && styles[tone],
  )
  return (
    <span className={classes}>
      <Icon size={14} aria-hidden="true" className={state === 'running' ? styles.running : undefined} />
      <span className={look === 'icon' ? 'visually-hidden' : styles.word}>{children ?? word}</span>
    </span>
  )
}

/** The version run by callers: a green edge and its number. The same everywhere, so that live and draft never look alike. */
export function LiveMark({ version }: { version: number | null }) {
  return (
    <span className={classNames(styles.badge, styles.live)}>
      <span className={styles.word}>{words.live(version)}</span>
    </span>
  )
}

/** A version that callers do not run. */
export function DraftMark({ children }: { children?: ReactNode }) {
  return (
    <span className={classNames(styles.badge, styles.draft)}>
      <span className={styles.word}>{children ?? words.draft}</span>
    </span>
  )
}
