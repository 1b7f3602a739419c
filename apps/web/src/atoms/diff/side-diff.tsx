import { useMemo } from 'react'
import { textDiffWords } from '../../core/messages/en/text-diff.ts'
import styles from './diff.module.css'
import { wordDiff } from './line-diff.ts'

export interface SideDiffProps {
  /** Two texts, each with its title. */
  sides: readonly [DiffSide, DiffSide]
  /** The common original of both texts, unmarked. */
  before?: DiffSide
}

interface DiffSide {
  title: string
  text: string
}

/** Maximum characters of each text. Comparing and showing more would freeze the page. */
const LONGEST = 20_000

/** Two texts side by side, stacked on phones. Words that only one of them contains are marked. */
export function SideDiff({ sides, before }: SideDiffProps) {
  const [first, second] = sides
  const parts = useMemo(
    () => wordDiff(first.text.slice(0, LONGEST), second.text.slice(0, LONGEST)),
    [first.text, second.text],
  )
  return (
    <div className={styles.sides}>
      {sides.map(({ title, text }, side) => {
        const other = side === 0 ? 'added' : 'removed'
        return (
          <figure key={title} className={styles.side}>
            <figcaption>{title}</figcaption>
            <p className={styles.words}>
              {parts
                .filter(({ kind }) => kind !== other)
                .map((part, index) => {
                  const Mark = part.kind === 'same' ? 'span' : 'mark'
                  // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the part
                  return <Mark key={index}>{part.text}</Mark>
                })}
              {text.length > LONGEST && <span> … {textDiffWords.tooLong}</span>}
            </p>
          </figure>
        )
      })}
      {before && <SideText {...before} />}
    </div>
  )
}

/** A text in a frame, with its title. */
export function SideText({ title, text }: DiffSide) {
  return (
    <figure className={styles.side}>
      <figcaption>{title}</figcaption>
      <p className={styles.words}>
        {text.slice(0, LONGEST)}
        {text.length > LONGEST && <span> … {textDiffWords.tooLong}</span>}
      </p>
    </figure>
  )
}
