import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { LongText } from '../../atoms/text/long-text.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import styles from './review-votes.module.css'

/** A value of any type for display: texts unchanged, lists and objects as JSON. */
function ShownValue({ label, value }: { label: string; value: unknown }) {
  if (value === null || value === undefined || value === '') return <span>{words.noValue}</span>
  if (typeof value === 'boolean') return <span>{value ? words.yes : words.no}</span>
  if (typeof value === 'number') return <span>{Number.isInteger(value) ? wholeNumber(value) : value}</span>
  if (typeof value === 'string') {
    return (
      <div className={styles.text}>
        <LongText text={value} />
      </div>
    )
  }
  return <CodeBlock label={label} text={JSON.stringify(value, null, 2)} />
}

export interface NamedValue {
  label: string
  value: unknown
  /** The value before the change, with a label. */
  former?: { label: string; value: unknown } | undefined
}

/** Names and values, one below the other. */
export function ShownValues({ values }: { values: readonly NamedValue[] }) {
  return (
    <dl className={styles.values}>
      {values.map(({ label, value, former }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat, and the values of a review never move
        <div key={index}>
          <dt>{label}</dt>
          <dd>
            <ShownValue label={label} value={value} />
            {former && (
              <div className={styles.former}>
                {former.label} <ShownValue label={`${label}, ${former.label}`} value={former.value} />
              </div>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
