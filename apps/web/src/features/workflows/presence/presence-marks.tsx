import { useMemo } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { ActionMenu } from '../../../atoms/overlays/menu.tsx'
import { presenceWords as words } from '../../../core/messages/en/workflows/presence.ts'
import { flagParam, optionalParam, textParam } from '../../../core/url/search-params.ts'
import type { PresentPerson } from '../../../core/workflows/present-people.ts'
import { useHrefWith } from '../../../infrastructure/routing/place.ts'
import styles from './presence.module.css'
import { usePresence } from './presence-context.tsx'

/** The max number of initials; the others are a count, and in the menu. */
const MOST_IN_HEAD = 4
/** The parts of the URL replaced by another step of the outline. */
const STEP = { tab: textParam, node: optionalParam, edit: flagParam, token: optionalParam }

/** Other users who have this workflow open. The menu shows each user's step, and opens it. */
export function PeopleHere({ nodes }: { nodes: readonly { id: string; name: string }[] }) {
  const { people } = usePresence()
  const hrefWith = useHrefWith(STEP)
  const names = useMemo(() => new Map(nodes.map(({ id, name }) => [id, name])), [nodes])
  if (people.length === 0) return null
  const entries = people.map(({ userId, name, nodeIds }) => {
    const known = nodeIds.filter((id) => names.has(id))
    const node = known[0]
    const detail = known.length === 0 ? words.noStep : words.at(known.map((id) => names.get(id) ?? id))
    const href = node === undefined ? null : hrefWith({ tab: '', node, edit: false, token: null })
    return { id: userId, label: name, detail, ...(href === null ? {} : { href }) }
  })
  return (
    <ActionMenu
      label={words.here}
      placement="bottom start"
      groups={[{ id: 'people', title: words.here, entries }]}
      trigger={
        <Button size="small" emphasis="quiet">
          <span className="visually-hidden">{words.others(people.length)}</span>
          <Initials people={people} most={MOST_IN_HEAD} />
        </Button>
      }
    />
  )
}

/** The users who have a step open as a sentence for screen readers; null: none. */
export function spokenPeople(people: readonly PresentPerson[] | undefined): string | null {
  return people === undefined ? null : words.haveOpen(people.map(({ name }) => name))
}

/** Maximum initials at a step; the others are a number. */
const MOST_AT_STEP = 2

/** The same initials as a text, for steps on the canvas; '' for nobody. */
export function drawnPeople(people: readonly PresentPerson[] = []): string {
  const more = people.length - MOST_AT_STEP
  const shown = people.slice(0, MOST_AT_STEP).map(({ initials }) => initials)
  return [...shown, ...(more > 0 ? [words.more(more)] : [])].join(' ')
}

/** Initials of users, hidden from screen readers, which get {@link spokenPeople}. */
export function Initials({
  people,
  most = MOST_AT_STEP,
}: {
  people: readonly PresentPerson[] | undefined
  most?: number
}) {
  if (people === undefined) return null
  const more = people.length - most
  return (
    <span className={styles.people} aria-hidden="true">
      {people.slice(0, most).map(({ userId, initials, name }) => (
        <span key={userId} className={styles.person} title={name} data-person={name}>
          {initials}
        </span>
      ))}
      {more > 0 && <span className={styles.more}>{words.more(more)}</span>}
    </span>
  )
}
