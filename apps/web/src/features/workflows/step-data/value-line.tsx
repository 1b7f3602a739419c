import { stepDataWords as words } from '../../../core/messages/en/workflows/step-data.ts'
import { valueLine } from '../../../core/workflows/value-excerpt.ts'

/** The beginning of a value on one line; nothing for a token without a value. */
export function ValueLine({ value, className }: { value: unknown; className: string | undefined }) {
  if (value === undefined) return null
  const line = valueLine(value)
  return (
    <span className={className} translate="no">
      {line === '' ? <i>{words.empty}</i> : line}
    </span>
  )
}
