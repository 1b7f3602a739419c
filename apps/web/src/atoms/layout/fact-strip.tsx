import styles from './fact-strip.module.css'
import type { Fact } from './page.tsx'

/** Names and values of one item as chips in one line, which wraps. */
export function FactStrip({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.strip}>
      {facts.map(({ name, value }) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
