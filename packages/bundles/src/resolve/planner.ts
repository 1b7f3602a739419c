import {
  checkedId,
  type Id,
  type IdKind,
  isShown,
  type KindOf,
  type NewId,
  propertyOf,
  type UserId,
} from '@troupe/contract'
import type { ToolSourceCheck } from '@troupe/operations/agents/source-check'
import type { LimitCeilings } from '@troupe/operations/limits/limit-ceilings'
import type { SkillVersionContent } from '@troupe/operations/skills/skill-files'
import type { PasswordHashes, SecretBox } from '@troupe/secrets'
import type { Readers } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import type { OpenedDocument } from '../read/open-documents.ts'
import type { ProblemList } from '../read/problem-list.ts'
import { matchStored, type NameField } from './match-stored.ts'
import type { TakenIds } from './taken-ids.ts'

/** The context shared by all parts of a plan. */
export interface Planner {
  read: Readers
  box: SecretBox
  passwords: PasswordHashes
  newId: NewId
  now: () => number
  toolSources: ToolSourceCheck
  acceptsWeakSecrets: boolean
  limitCeilings: LimitCeilings
  /** The role of the member who applies the bundle; null: the operator, who has every permission. */
  role: 'owner' | 'admin' | null
  problems: ProblemList
  takenIds: TakenIds
  /** The documents of knowledge bases by their paths in the bundle. */
  documents: ReadonlyMap<string, OpenedDocument>
  /** The skills with given files, by their paths in the bundle. */
  skills: ReadonlyMap<string, SkillVersionContent>
  /** Accounts that the bundle creates, by e-mail address; shared by all of its organizations. */
  newAccounts: Map<string, UserId>
}

/** A part of a bundle with its stored row, if any, and its existing or newly assigned id. */
export interface PlacedPart<V, R extends { id: string }, Kind extends string = KindOf<R['id']>> {
  item: Item<V>
  stored: R | null
  id: Id<Kind>
}

/** The kind of name of most parts, for {@link place}. */
export const BY_SLUG = {
  field: 'slug',
  ofItem: ({ slug }: { slug: string }) => slug,
  ofRow: ({ slug }: { slug: string | null }) => slug,
} as const

/**
 * Finds or assigns the id of each part; a part whose id or name contradicts the database is reported and left
 * out.
 */
export async function place<V extends { id?: string }, R extends { id: string }, Kind extends string>(
  planner: Planner,
  kind: IdKind<Kind>,
  items: readonly Item<V>[],
  stored: readonly R[],
  name: { field: NameField; ofItem: (value: V) => string; ofRow: (row: R) => string | null },
): Promise<PlacedPart<V, R, Kind>[]> {
  const placed: PlacedPart<V, R, Kind>[] = []
  // Rows created in one transaction share a creation time and are ordered by id, so ids follow the bundle's
  // order.
  const newIds = items.map(() => planner.newId(kind)).toSorted()
  for (const [index, item] of items.entries()) {
    const { id } = item.value
    const address = { id, name: name.ofItem(item.value), nameField: name.field }
    const match = matchStored(address, stored, name.ofRow)
    if (!match.ok) {
      planner.problems.add(`${item.path}.${match.field}`, match.message)
    } else if (match.stored === null && id !== undefined && (await planner.takenIds.has(id))) {
      planner.problems.add(`${item.path}.id`, 'is already the id of another resource')
    } else {
      checkName(planner.problems, item, match.stored)
      placed.push({
        item,
        stored: match.stored,
        id: checkedId(kind, match.stored?.id ?? id ?? newIds[index] ?? planner.newId(kind)),
      })
    }
  }
  return placed
}

/** An invisible name is only accepted if it is already stored. */
function checkName(problems: ProblemList, { path, value }: Item<object>, stored: object | null): void {
  const name = propertyOf(value, 'name')
  // The schema refuses an empty name.
  if (typeof name !== 'string' || name === '' || isShown(name) || propertyOf(stored, 'name') === name) return
  problems.add(`${path}.name`, 'must not be blank')
}
