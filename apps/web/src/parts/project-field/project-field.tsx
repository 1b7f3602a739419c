import type { IdText, ProjectId } from '@troupe/contract'
import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'

// Dialogs of many pages have this field, and few organizations have projects.
const OptionPicker = lazyPart(async () => (await import('../pickers/option-picker.tsx')).OptionPicker)

const WHOLE = 'whole'

export interface ProjectFieldProps {
  label: string
  description?: ReactNode
  /** "Whole organization". */
  wholeOrganization: string
  error?: string | null
  /** null: the whole organization. */
  value: string | null
  onChange(projectId: IdText<ProjectId> | null): void
}

/** The project of a resource. Hidden without projects. */
export function ProjectField({ wholeOrganization, value, onChange, ...field }: ProjectFieldProps) {
  const projects = useProjects()
  const listed = projects.data ?? []
  if (listed.length === 0 && value === null) return null
  return (
    <Suspense>
      <OptionPicker
        {...field}
        value={value ?? WHOLE}
        onChange={(id) => onChange(id === WHOLE ? null : id)}
        options={[
          { id: WHOLE, label: wholeOrganization },
          ...listed.map(({ projectId, name }) => ({ id: projectId, label: name })),
        ]}
      />
    </Suspense>
  )
}
