import { createHash } from 'node:crypto'
import { checkedId, type Id, type IdKind } from '@troupe/contract'

/**
 * The id of a child run or an approval: identical for the same step of the same run in every turn and process, so that a
 * resumed run finds the runs it had started. A UUID of version 8.
 */
export function derivedId<Kind extends string>(
  kind: IdKind<Kind>,
  ...step: readonly (string | number)[]
): Id<Kind> {
  const hex = createHash('sha256').update(step.join('\n')).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return checkedId(kind, groups.join('-'))
}
