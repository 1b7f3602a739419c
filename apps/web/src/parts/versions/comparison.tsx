import { ArrowRight, GitCompareArrows } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Option } from '../../atoms/controls/option-list.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { Card } from '../../atoms/layout/page.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { versionListWords as words } from '../../core/messages/en/parts/versions.ts'
import styles from './versions.module.css'

export interface ComparisonProps {
  from: string
  to: string
  options: readonly Option[]
  onChange(from: string, to: string): void
  /** Buttons that act on the comparison. */
  tools?: ReactNode
  /** A sentence below the selection: the effect of its buttons. */
  hint?: ReactNode
  /** The differences. */
  children: ReactNode
}

/** Two selected states and their differences. */
export function Comparison({ from, to, options, onChange, tools, hint, children }: ComparisonProps) {
  return (
    <section aria-label={words.compareTitle}>
      {/* Above the headings of the differences. */}
      <h2 className="visually-hidden">{words.compareTitle}</h2>
      <Card flush>
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
          {hint && <p className={styles.hint}>{hint}</p>}
        </div>
        <div className={styles.changes}>{children}</div>
      </Card>
    </section>
  )
}

export interface FirstVersionProps {
  /** `v1`. */
  name: string
  /** There is no later version, either. */
  isOnly: boolean
  actions?: ReactNode
}

/** Shown instead of the comparison of a first version. */
export function FirstVersion({ name, isOnly, actions }: FirstVersionProps) {
  return (
    <section aria-label={words.compareTitle}>
      <Card>
        <Empty
          look="place"
          picture={<GitCompareArrows size={22} />}
          title={words.firstTitle(name)}
          actions={actions}
        >
          {isOnly ? words.onlyDetail : words.firstDetail}
        </Empty>
      </Card>
    </section>
  )
}
