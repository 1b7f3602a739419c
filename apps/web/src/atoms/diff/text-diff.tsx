import { useMemo } from 'react'
import { textDiffWords as words } from '../../core/messages/en/text-diff.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './diff.module.css'
import { lineDiff, withoutSame } from './line-diff.ts'

export interface TextDiffProps {
  /** The compared content: "Instructions". */
  label: string
  before: string
  after: string
  isMono?: boolean
  /** Equal lines beside each change; all of them when absent. */
  around?: number
}

/** Maximum characters of each text. Comparing and showing more would freeze the page. */
const LONGEST_COMPARED = 100_000
const MOST_SHOWN = 1_000

const MARKS = { same: '', added: '+', removed: '−' }
const WORDS = { same: '', added: 'Added: ', removed: 'Removed: ' }

/** Two texts as one list of lines, distinguished by sign and colour. Excess lines are omitted, with a notice in the last line. */
export function TextDiff({
  label,
  before,
  after,
  isMono = false,
  around = Number.POSITIVE_INFINITY,
}: TextDiffProps) {
  const lines = useMemo(() => {
    const all = lineDiff(before.slice(0, LONGEST_COMPARED), after.slice(0, LONGEST_COMPARED))
    return Number.isFinite(around) ? withoutSame(all, around) : all
  }, [before, after, around])
  const isWhole = Math.max(before.length, after.length) <= LONGEST_COMPARED && lines.length <= MOST_SHOWN
  return (
    <section className={classNames(styles.diff, isMono && styles.mono)} aria-label={label}>
      {lines.slice(0, MOST_SHOWN).map((line, index) => {
        if (line.kind === 'gap') {
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the line
              key={index}
              className={styles.gap}
            >
              {words.unchanged(line.lines)}
            </div>
          )
        }
        const { kind, text } = line
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the line
          <div key={index} className={classNames(styles.line, kind !== 'same' && styles[kind])}>
            <span aria-hidden="true">{MARKS[kind]}</span>
            <span>
              {kind !== 'same' && <span className="visually-hidden">{WORDS[kind]}</span>}
              {text}
            </span>
          </div>
        )
      })}
      {!isWhole && <div className={styles.gap}>{words.tooLong}</div>}
    </section>
  )
}
