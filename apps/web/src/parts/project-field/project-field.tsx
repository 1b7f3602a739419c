import type { ReactNode } from 'react'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'
import { OptionPicker } from '../pickers/option-picker.tsx'

const WHOLE = 'whole'

export interface ProjectFieldProps {
  label: string
  description?: ReactNode
  /** "Whole organization". */
  wholeOrganization: string
  error?: string | null
  /** null: the whole organization. */
  value: string | null
  onChange(projectId: string | null): void
}

/** To which project something belongs. It is not shown where there are no projects. */
export function ProjectField({ wholeOrganization, value, onChange, ...field }: ProjectFieldProps) {
  const projects = useProjects()
  const listed = projects.data ?? []
  if (listed.length === 0 && value === null) return null
  return (
    <OptionPicker
      {...field}
      value={value ?? WHOLE}
      onChange={(id) => onChange(id === WHOLE ? null : id)}
      options={[
        { id: WHOLE, label: wholeOrganization },
        ...listed.map(({ projectId, name }) => ({ id: projectId, label: name })),
      ]}
    />
  )
}
