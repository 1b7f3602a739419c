import type { ChangeAuthor } from '@troupe/builder-contract'
import { listWords } from '../lists.ts'

/** Who made a change, in words. */
export function authorName({ kind, name }: ChangeAuthor): string {
  if (name !== null) return name
  return {
    user: listWords.formerMember,
    api_key: listWords.apiKey,
    operator: listWords.operator,
    system: listWords.system,
  }[kind]
}
