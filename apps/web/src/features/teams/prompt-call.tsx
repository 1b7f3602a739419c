import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { TextDiff } from '../../atoms/diff/text-diff.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { teamPageWords } from '../../core/messages/en/teams.ts'
import type { ComparedCall } from '../../core/teams/compare-prompts.ts'
import styles from './teams.module.css'

const words = teamPageWords.prompts
const AROUND = 2
const TONES = { changed: 'info', added: 'good', removed: 'warn', same: 'neutral' } as const

/** One call of a model: who is asked, when, and everything that it gets. */
export function PromptCall({ call, isCompared }: { call: ComparedCall; isCompared: boolean }) {
  const { who, when, kind, before, after, tokens } = call
  const name = words.by(who.name, who.role)
  return (
    <section className={styles.call} aria-label={name}>
      <header className={styles.callHead}>
        <h3>{name}</h3>
        {isCompared && kind !== 'same' && <Badge tone={TONES[kind]}>{words[kind]}</Badge>}
        <span className={styles.callTokens}>
          {isCompared ? tokens !== 0 && words.tokenChange(tokens) : words.tokens(tokens)}
        </span>
      </header>
      <p className={styles.quiet}>{when}</p>
      {isCompared ? (
        <TextDiff label={name} before={before} after={after} isMono around={AROUND} />
      ) : (
        <CodeBlock label={name} text={after} isWrapped />
      )}
    </section>
  )
}
