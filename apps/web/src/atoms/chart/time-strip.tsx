import { fullTime } from '../../core/format/times.ts'
import { SilentLink } from '../controls/silent-link.tsx'
import styles from './time-strip.module.css'

/** One moment on a timeline. Each kind has its own shape and colour. */
export interface StripMark {
  id: string
  /** Milliseconds since the epoch. */
  at: number
  kind: 'good' | 'late' | 'bad' | 'left-out' | 'planned'
  /** The kind in words: "Fired". */
  word: string
  /** The moment in words, on another clock than the reader's; absent: on the reader's. */
  title?: string
  /** The result; null: nothing to open. */
  href: string | null
}

export interface TimeStripProps {
  /** Description for screen readers; the same moments and links are in a list beside it. */
  label: string
  marks: readonly StripMark[]
  /** Milliseconds since the epoch. */
  now: number
  nowWord: string
}

/** Moments before and after now on one line. */
export function TimeStrip({ label, marks, now, nowWord }: TimeStripProps) {
  const times = [now, ...marks.map(({ at }) => at)]
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const room = Math.max(to - from, 1)
  const place = (at: number) => `${4 + ((at - from) / room) * 92}%`
  const words = [...new Map(marks.map(({ kind, word }) => [kind, word]))]
  return (
    <div className={styles.strip}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div className={styles.line} role="group" aria-label={label}>
        <span className={styles.now} style={{ insetInlineStart: place(now) }} title={nowWord} />
        {marks.map((mark) => (
          <Mark key={mark.id} mark={mark} place={place(mark.at)} />
        ))}
      </div>
      <ul className={styles.legend}>
        {words.map(([kind, word]) => (
          <li key={kind}>
            <span className={styles.mark} data-kind={kind} aria-hidden="true" />
            {word}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Mark({ mark, place }: { mark: StripMark; place: string }) {
  const { at, kind, word, href } = mark
  const title = `${word}: ${mark.title ?? fullTime(at / 1_000)}`
  const look = { className: styles.spot, style: { insetInlineStart: place }, title }
  const sign = <span className={styles.mark} data-kind={kind} aria-hidden="true" />
  if (href === null) return <span {...look}>{sign}</span>
  return (
    <SilentLink {...look} href={href} aria-label={title}>
      {sign}
    </SilentLink>
  )
}
