import { wholeNumber } from '../../../core/format/numbers.ts'
import { promptWords as words } from '../../../core/messages/en/agents/agent-sections.ts'
import styles from './prompt.module.css'
import { historyEnd } from './prompt-shares.ts'

/** Five colours for parts: written by editors, by the platform, from memory, from knowledge, by the user. */
const COLOURS: Readonly<Record<string, string>> = {
  instructions: 'var(--chart-1)',
  'memory.history': 'var(--chart-2)',
  'memory.summary': 'var(--chart-2)',
  'memory.user_memories': 'var(--chart-3)',
  knowledge: 'var(--chart-4)',
  message: 'var(--chart-5)',
  tools: 'var(--muted)',
}

export interface ContextBarProps {
  use: readonly { from: string; tokens: number }[]
  /** The model's context length in tokens; null: unknown. */
  context: number | null
  /** Max tokens of earlier messages; null: no limit, or no messages. */
  mostHistory: number | null
}

/** The share of each part in the used context; and below it, the used share of the whole context. */
export function ContextBar({ use, context, mostHistory }: ContextBarProps) {
  const total = use.reduce((sum, { tokens }) => sum + tokens, 0)
  const labels: Readonly<Record<string, string>> = words.parts
  const text = use
    .map(({ from, tokens }) => words.share(labels[from] ?? from, wholeNumber(tokens)))
    .join(', ')
  const limit = mostHistory === null ? null : words.historyLimit(wholeNumber(mostHistory))
  const end = mostHistory === null ? 1 : historyEnd(use, mostHistory, total)
  return (
    <div className={styles.barBox}>
      <div
        className={styles.bar}
        role="img"
        aria-label={`${words.barLabel}: ${text}${limit === null ? '' : `. ${limit}`}`}
      >
        {use.map(({ from, tokens }) => (
          <span
            key={from}
            title={words.share(labels[from] ?? from, wholeNumber(tokens))}
            style={{
              width: `${Math.max(0.75, (tokens / Math.max(1, total)) * 100)}%`,
              background: COLOURS[from] ?? 'var(--control)',
            }}
          />
        ))}
      </div>
      {/* A limit beyond the used context is outside the bar. */}
      {limit !== null && end < 1 && (
        <span
          className={styles.limit}
          title={limit}
          aria-hidden="true"
          style={{ insetInlineStart: `${end * 100}%` }}
        />
      )}
      {context !== null && (
        <div className={styles.whole} aria-hidden="true">
          <span style={{ width: `${Math.min(100, (total / context) * 100)}%` }} />
        </div>
      )}
    </div>
  )
}
