import { useMemo } from 'react'
import { textDiffWords } from '../../core/messages/en/text-diff.ts'
import styles from './diff.module.css'
import { wordDiff } from './line-diff.ts'

export interface WordDiffProps {
  before: string
  after: string
  /** Before a removed and an added part, for screen readers. */
  words: { removed: string; added: string }
}

/** Maximum characters of each text. Comparing more would freeze the page. */
const LONGEST = 20_000

/** A word diff of two texts: removed words are struck through, added ones are marked. */
export function WordDiff({ before, after, words }: WordDiffProps) {
  const parts = useMemo(() => {
    const joined: { kind: 'same' | 'added' | 'removed'; text: string }[] = []
    for (const { kind, text } of wordDiff(before.slice(0, LONGEST), after.slice(0, LONGEST))) {
      const last = joined.at(-1)
      if (last?.kind === kind) last.text += text
      else joined.push({ kind, text })
    }
    return joined
  }, [before, after])
  return (
    <p className={styles.words}>
      {parts.map(({ kind, text }, index) => {
        // biome-ignore-start lint/suspicious/noArrayIndexKey: the index identifies the part
        if (kind === 'same') return <span key={index}>{text}</span>
        const Mark = kind === 'added' ? 'ins' : 'del'
        return (
          <Mark key={index} className={styles[kind]}>
            <span className="visually-hidden">{words[kind]}</span>
            {text}
          </Mark>
        )
        // biome-ignore-end lint/suspicious/noArrayIndexKey: the index identifies the part
      })}
      {Math.max(before.length, after.length) > LONGEST && <span> … {textDiffWords.tooLong}</span>}
    </p>
  )
}
