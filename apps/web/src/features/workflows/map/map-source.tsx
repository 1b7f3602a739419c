import type { BuilderWorkflow } from '@troupe/contract/builder'
import { Select } from '../../../atoms/controls/select.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { relativeTime } from '../../../core/format/times.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { mapWords as words } from '../../../core/messages/en/workflows/map.ts'
import { versionWords } from '../../../core/messages/en/workflows/publish.ts'
import { isEnded } from '../../../core/runs/run-state.ts'
import { useRefreshOn } from '../../../infrastructure/events/use-changes.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'

const NEWEST = 20

/** The content of the map: the draft, a version by its number, or a run. */
export interface MapSourceValue {
  of: string
  run: string | null
}

export interface MapSourceProps {
  workflow: BuilderWorkflow
  value: MapSourceValue
  onChange(value: MapSourceValue): void
}

/** Selects the draft, one of the newest versions or one of the newest runs; the one in the URL is always included. */
export function MapSource({ workflow: { workflowId }, value, onChange }: MapSourceProps) {
  const versions = useOperation('listWorkflowVersions', {
    params: { workflowId },
    query: { page: 1, limit: NEWEST },
  })
  const runs = useOperation('listRuns', { query: { kind: 'workflow', entityId: workflowId, limit: NEWEST } })
  // The statuses of runs in the list change while it is shown.
  const isChanging = runs.data?.data.some(({ status }) => !isEnded(status)) === true
  useRefreshOn(isChanging ? ['runs'] : [], ['listRuns'])
  const listedVersions = versions.data?.data ?? []
  const listedRuns = runs.data?.data ?? []
  const options = [
    { id: 'draft', label: words.draft },
    ...listedVersions.map(({ number }) => ({ id: `version ${number}`, label: versionWords.version(number) })),
    ...(value.of !== '' && !listedVersions.some(({ number }) => String(number) === value.of)
      ? [{ id: `version ${value.of}`, label: versionWords.version(Number(value.of)) }]
      : []),
    ...listedRuns.map(({ runId, createdAt, status, isTest }) => ({
      id: `run ${runId}`,
      label: words.run(relativeTime(createdAt, serverNow()), runWords.statuses[status], isTest),
    })),
    ...(value.run !== null && !listedRuns.some(({ runId }) => runId === value.run)
      ? [{ id: `run ${value.run}`, label: words.otherRun }]
      : []),
  ]
  return (
    <Select
      label={words.source}
      isLabelHidden
      options={options}
      value={value.run !== null ? `run ${value.run}` : value.of !== '' ? `version ${value.of}` : 'draft'}
      onChange={(id) => {
        const [kind = '', one = ''] = id.split(' ')
        onChange({ of: kind === 'version' ? one : '', run: kind === 'run' ? one : null })
      }}
    />
  )
}
