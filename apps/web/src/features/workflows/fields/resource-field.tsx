import { ListPicker } from '../../../parts/pickers/list-picker.tsx'
import { AGENTS, TEAMS } from '../../../parts/pickers/searched-lists.ts'

export interface ResourceFieldProps {
  label: string
  description: string | null
  error: string | null
  resource: 'agent' | 'team'
  /** Its id; '' for none. */
  value: string
  onChange(value: string): void
}

/** An agent or a team, found by its name. */
export function ResourceField({ resource, value, onChange, ...words }: ResourceFieldProps) {
  const field = {
    ...words,
    value: value === '' ? null : value,
    onChange: (id: string | null) => onChange(id ?? ''),
  }
  return resource === 'agent' ? (
    <ListPicker list={AGENTS} {...field} />
  ) : (
    <ListPicker list={TEAMS} {...field} />
  )
}
