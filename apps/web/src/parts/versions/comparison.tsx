import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Option } from '../../atoms/controls/option-list.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { versionListWords as words } from '../../core/messages/en/parts/versions.ts'
import styles from './versions.module.css'

export interface ComparisonProps {
  from: string
  to: string
  options: readonly Option[]
  onChange(from: string, to: string): void
  /** Buttons that act on the comparison. */
  tools?: ReactNode
  /** The differences. */
  children: ReactNode
}

/** Two selected states and their differences. */
export function Comparison({ from, to, options, onChange, tools, children }: ComparisonProps) {
  return (
    <section className={styles.compared} aria-label={words.compareTitle}>
      {/* Above the headings of the differences. */}
      <h2 className="visually-hidden">{words.compareTitle}</h2>
      <div className={styles.choice}>
        <Select
          label={words.from}
          isLabelHidden
          value={from}
          options={options}
          onChange={(next) => onChange(next, to)}
        />
        <ArrowRight size={16} aria-hidden="true" />
        <Select
          label={words.to}
          isLabelHidden
          value={to}
          options={options}
          onChange={(next) => onChange(from, next)}
        />
        {tools && <span className={styles.tools}>{tools}</span>}
      </div>
      {children}
    </section>
  )
}
