import { presenceWords as words } from '../../../core/messages/en/workflows/presence.ts'
import type { PresentPerson } from '../../../core/workflows/present-people.ts'
import styles from './presence.module.css'
import { usePresence } from './presence-context.tsx'

/** More are a number. */
const MOST_SHOWN = 5

/** Who else shows this workflow, in its head. */
export function PeopleHere({ nameOf }: { nameOf(nodeId: string): string | undefined }) {
  const people = usePresence()
  if (people.length === 0) return null
  return (
    <ul className={styles.people} aria-label={words.here}>
      {people.slice(0, MOST_SHOWN).map((person) => {
        const steps = person.nodeIds.flatMap((id) => nameOf(id) ?? [])
        return (
          <li key={person.userId}>
            <Initials person={person} title={words.at(person.name, steps)} />
          </li>
        )
      })}
      {people.length > MOST_SHOWN && (
        <li className={styles.more}>{words.more(people.length - MOST_SHOWN)}</li>
      )}
    </ul>
  )
}

/** Who else has a step open, at the step. */
export function PeopleAt({ nodeId }: { nodeId: string }) {
  const people = usePresence().filter(({ nodeIds }) => nodeIds.includes(nodeId))
  return people
    .slice(0, 3)
    .map((person) => <Initials key={person.userId} person={person} title={words.hasOpen(person.name)} />)
}

function Initials({ person, title }: { person: PresentPerson; title: string }) {
  return (
    <span className={styles.person} title={title}>
      <span aria-hidden="true">{person.initials}</span>
      <span className="visually-hidden">{title}</span>
    </span>
  )
}
