import type { TypedDifference } from '../../core/forms/typed-fields.ts'
import { unsavedDialogWords as words } from '../../core/messages/en/agents/unsaved-dialogs.ts'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'
import { SettingDiff } from './setting-diff.tsx'

export interface DifferencesProps {
  differences: readonly TypedDifference[]
  /** The names of resources selected by id in other fields, by the id. */
  names?: ReadonlyMap<string, string>
}

/** The changes of a form, beside the current saved state. Selected resources are shown by name. */
export function Differences({ differences, names }: DifferencesProps) {
  const projects = useProjects()
  const shown = (path: string, value: unknown) => {
    if (path === 'projectId' && value === null) return words.wholeOrganization
    if (typeof value !== 'string') return value
    const project = projects.data?.find(({ projectId }) => projectId === value)
    return names?.get(value) ?? project?.name ?? value
  }
  return (
    <>
      <p>{words.keepMineDetail}</p>
      {differences.map(({ path, label, before, after }) => (
        <SettingDiff
          key={path}
          change={{ path, before: shown(path, before), after: shown(path, after) }}
          label={label}
        />
      ))}
    </>
  )
}
