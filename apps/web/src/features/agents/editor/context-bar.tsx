import { wholeNumber } from '../../../core/format/numbers.ts'
import { promptWords as words } from '../../../core/messages/en/agents/agent-editor.ts'
import styles from './prompt.module.css'
import { historyEnd } from './prompt-shares.ts'

/** Parts share five colours: what is written by people, by the platform, by memory, by knowledge, by the user. */
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
  /** Tokens of the whole bar. */
  total: number
  /** Tokens that earlier messages take at most; null: there is no limit, or there are none. */
  mostHistory: number | null
}

/** How much of the context each part takes. The rest is left for the conversation and the answer. */
export function ContextBar({ use, total, mostHistory }: ContextBarProps) {
  const labels: Readonly<Record<string, string>> = words.parts
  const text = use
    .map(({ from, tokens }) => words.share(labels[from] ?? from, wholeNumber(tokens)))
    .join(', ')
  const limit = mostHistory === null ? null : words.historyLimit(wholeNumber(mostHistory))
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
      {mostHistory !== null && limit !== null && (
        <span
          className={styles.limit}
          title={limit}
          aria-hidden="true"
          style={{ insetInlineStart: `${historyEnd(use, mostHistory, total) * 100}%` }}
        />
      )}
    </div>
  )
}
