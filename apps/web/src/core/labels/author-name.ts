import type { ChangedBy } from '@troupe/contract'
import { authorWords as words } from '../messages/en/parts/author-name.ts'

type Author = Pick<ChangedBy, 'kind' | 'id' | 'name'> | null

/** The author of a change in a sentence; `me` is the user id of the reader, who is called "you". */
export function authorName(by: Author, me: string | null = null): string {
  if (by === null) return words.somebody
  if (me !== null && by.id === me) return words.you
  return by.name ?? words.kinds[by.kind] ?? words.somebody
}

/** The same at the beginning of a sentence or of a cell. */
export function authorFirst(by: Author, me: string | null = null): string {
  const text = authorName(by, me)
  return by?.name === text ? text : text.slice(0, 1).toUpperCase() + text.slice(1)
}
