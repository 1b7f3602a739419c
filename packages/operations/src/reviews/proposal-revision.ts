import { createHash } from 'node:crypto'
import type { ReviewField } from '@troupe/contract'

/** Identifies the proposed values of a review: it changes when an approval of a quorum changes one of them. */
export function proposalRevision(fields: readonly Pick<ReviewField, 'name' | 'value'>[]): string {
  const values = JSON.stringify(fields.map(({ name, value }) => [name, value]))
  return createHash('sha256').update(values).digest('base64url')
}
