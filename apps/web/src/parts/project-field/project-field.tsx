import type { ReactNode } from 'react'
import { Select } from '../../atoms/controls/select.tsx'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'

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
  const projects = useOperation('listProjects', { query: { limit: 100, sort: 'name' } })
  const listed = projects.data?.data ?? []
  if (listed.length === 0 && value === null) return null
  return (
    <Select
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
