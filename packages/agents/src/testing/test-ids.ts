import { createHash } from 'node:crypto'
import { checkedId, type Id, type IdKind } from '@troupe/contract'

/** The id of its kind with this name, the same in every test; ids of two kinds differ. */
export function idNamed<Kind extends string>(kind: IdKind<Kind>, name: string): Id<Kind> {
  const hash = createHash('sha256').update(`${kind.kind} ${name}`).digest('hex')
  return checkedId(kind, `00000000-0000-4000-8000-${hash.slice(0, 12)}`)
}

/** The `n`th id that {@link countedIds} makes. */
export function nthId<Kind extends string>(kind: IdKind<Kind>, n: number): Id<Kind> {
  return checkedId(kind, `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`)
}

/** Makes ids in a fixed order, regardless of their kind. */
export function countedIds(): <Kind extends string>(kind: IdKind<Kind>) => Id<Kind> {
  let count = 0
  return (kind) => nthId(kind, ++count)
}
