import type { ChangeAuthor } from '@troupe/contract/builder'

const kinds: Readonly<Record<string, string>> = {
  user: 'a former member',
  api_key: 'an API key',
  operator: 'the operator',
  system: 'the system',
} satisfies Record<ChangeAuthor['kind'], string>

/** Names of authors of changes, as used inside a sentence. */
export const authorWords = {
  you: 'you',
  somebody: 'somebody',
  /** Authors without a name, by their kind. */
  kinds,
} as const
