import type { EditorTabId, IdText, UserId } from '@troupe/contract'
import type { PresentTab } from '@troupe/contract/builder'

/** Another user who has the same workflow open. */
export interface PresentPerson {
  userId: IdText<UserId>
  name: string
  /** At most two letters. */
  initials: string
  /** The steps that are open in the tabs of this user. */
  nodeIds: readonly string[]
}

/** The other users of the tabs, each once, in the order of the tabs. */
export function presentPeople(
  tabs: readonly PresentTab[],
  own: { tabId: IdText<EditorTabId>; userId: IdText<UserId> },
): PresentPerson[] {
  const others = tabs.filter(({ tabId, userId }) => tabId !== own.tabId && userId !== own.userId)
  return [...Map.groupBy(others, ({ userId }) => userId)].map(([userId, theirs]) => {
    const name = theirs[0]?.name ?? ''
    const nodeIds = theirs.flatMap(({ nodeId }) => nodeId ?? [])
    return { userId, name, initials: initialsOf(name), nodeIds: [...new Set(nodeIds)] }
  })
}

/** The users by the step that they have open. */
export function peopleBySteps(
  people: readonly PresentPerson[],
): ReadonlyMap<string, readonly PresentPerson[]> {
  const pairs = people.flatMap((person) => person.nodeIds.map((nodeId) => ({ nodeId, person })))
  const groups = Map.groupBy(pairs, ({ nodeId }) => nodeId)
  return new Map([...groups].map(([nodeId, found]) => [nodeId, found.map(({ person }) => person)]))
}

/** The initials of the first and the last word; by code point, so that no letter is half. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return ends.map((word = '') => [...word.slice(0, 2)][0]?.toUpperCase() ?? '?').join('')
}
