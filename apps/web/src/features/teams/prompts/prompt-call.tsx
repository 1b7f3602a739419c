import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { TextDiff } from '../../../atoms/diff/text-diff.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { teamPageWords } from '../../../core/messages/en/teams/page.ts'
import type { ComparedCall } from '../../../core/teams/compare-prompts.ts'
import styles from './prompts.module.css'

const words = teamPageWords.prompts
const AROUND = 2
const TONES = { changed: 'info', added: 'good', removed: 'warn', same: 'neutral' } as const

export interface PromptCallProps {
  call: ComparedCall
  /** Position in the run, from 1. */
  place: number
  isCompared: boolean
}

/** One model call: caller, time, and complete prompt. */
export function PromptCall({ call, place, isCompared }: PromptCallProps) {
  const { who, when, kind, before, after, tokens } = call
  const name = words.by(who.name, who.role)
  const label = words.place(place, name)
  return (
    <article className={styles.call} aria-label={label}>
      <header className={styles.callHead}>
        <h3>{label}</h3>
        {isCompared && kind !== 'same' && <Badge tone={TONES[kind]}>{words[kind]}</Badge>}
        <span className={styles.callTokens}>
          {isCompared ? tokens !== 0 && words.tokenChange(tokens) : words.tokens(tokens)}
        </span>
      </header>
      <p className={styles.quiet}>{when}</p>
      {isCompared ? (
        <TextDiff label={label} before={before} after={after} isMono around={AROUND} />
      ) : (
        <CodeBlock label={label} text={after} isWrapped />
      )}
    </article>
  )
}
