import { MEMBER_ROLES } from '@troupe/contract'
import type { Member } from '@troupe/contract/builder'
import { useState } from 'react'
import { settingsWords } from '../../../core/messages/en/settings/settings.ts'
import { fieldWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { type ChosenItem, ChosenList } from '../../../parts/pickers/chosen-list.tsx'
import { isFoundBy } from '../../../parts/pickers/is-found-by.ts'

export interface ReviewersFieldProps {
  label: string
  description: string | null
  error: string | null
  value: readonly string[]
  onChange(value: string[]): void
}

/** The number of members offered at once; typing finds the others. */
const OFFERED = 50

/** Members of the organization, by name. */
export function PeopleField({ error, ...field }: ReviewersFieldProps) {
  const { data, failure } = useOperation('listMembers', {})
  const members = data?.members ?? []
  return (
    <ChosenFew
      {...field}
      error={error ?? (failure ? words.people.failed : null)}
      words={words.people}
      isSearching={data === undefined && failure === null}
      all={members.filter(({ status }) => status === 'active').map(itemOf)}
      unknown={(id) => {
        const suspended = members.find(({ userId }) => userId === id)
        return suspended
          ? { ...itemOf(suspended), isGone: true }
          : { id, name: id, isGone: data !== undefined }
      }}
    />
  )
}

const itemOf = ({ userId, name, email }: Member): ChosenItem => ({
  id: userId,
  name,
  ...(email === null ? {} : { detail: email }),
})

/** Roles of members. */
export function RolesField(field: ReviewersFieldProps) {
  const { roles } = settingsWords.members
  return (
    <ChosenFew
      {...field}
      words={words.roles}
      isSearching={false}
      all={MEMBER_ROLES.map((id) => ({ id, name: roles[id].label, detail: roles[id].detail }))}
      unknown={(id) => ({ id, name: id })}
    />
  )
}

interface ChosenFewProps extends ReviewersFieldProps {
  words: { none: string; add: string }
  isSearching: boolean
  all: readonly ChosenItem[]
  /** The label of a selected one that is not in the list. */
  unknown(id: string): ChosenItem
}

function ChosenFew({ words: own, isSearching, all, unknown, value, onChange, ...field }: ChosenFewProps) {
  const [typed, setTyped] = useState('')
  const left = all.filter(({ id, name }) => !value.includes(id) && isFoundBy(typed.trim(), id, name))
  return (
    <ChosenList
      {...field}
      none={own.none}
      addLabel={own.add}
      items={value.map((id) => all.find((one) => one.id === id) ?? unknown(id))}
      options={left
        .slice(0, OFFERED)
        .map(({ id, name, detail }) => ({ id, label: name, ...(detail === undefined ? {} : { detail }) }))}
      onType={setTyped}
      isSearching={isSearching}
      onAdd={(id) => onChange([...value, id])}
      onRemove={(id) => onChange(value.filter((one) => one !== id))}
    />
  )
}
