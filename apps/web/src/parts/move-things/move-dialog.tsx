import type { IdText, ProjectId } from '@troupe/contract'
import type { MovableKind, MovedThing, MoveResult } from '@troupe/contract/builder'
import { useState } from 'react'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { Callout, Skeleton } from '../../atoms/states/panels.tsx'
import { moveWords as words } from '../../core/messages/en/parts/move.ts'
import type { OperationName } from '../../infrastructure/client/operation-types.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'
import { OptionPicker } from '../pickers/option-picker.tsx'
import { UserLinks } from '../used-by/used-by.tsx'
import { useMovePreview } from './use-move-preview.ts'

/** A resource to move. */
export interface ThingToMove {
  kind: MovableKind
  id: string
  name: string
  /** null: it belongs to the organization. */
  projectId: IdText<ProjectId> | null
}

export interface MoveDialogProps {
  /** At least one. */
  things: readonly ThingToMove[]
  onClose(): void
  /** Called before `onClose` after a move. */
  onMoved?(): void
}

const WHOLE = 'whole'

/** Operations whose responses have the project of a resource. */
const SAYS_PROJECT = [
  ...(['listAgents', 'getAgent', 'listTeams', 'getTeam', 'listWorkflows', 'getWorkflow'] as const),
  ...(['listKnowledgeBases', 'getKnowledgeBase', 'listSkills', 'getSkill'] as const),
  ...(['listLlmConfigurations', 'getLlmConfiguration', 'listCredentials', 'getCredential'] as const),
  ...(['listMcpServers', 'getMcpServer', 'listPhoneTrunks'] as const),
  ...(['listVoiceConfigurations', 'listProjects', 'exportOrganizationBundle'] as const),
] satisfies readonly OperationName[]

/** Selects the target of resources, shows their uses, obstacles and effects, and moves all of them or none. */
export function MoveDialog({ things, onClose, onMoved }: MoveDialogProps) {
  const projects = useProjects()
  const [place, setPlace] = useState<string | null>(null)
  const asked = things.map(({ kind, id }) => ({ kind, id }))
  const target = place === null ? undefined : place === WHOLE ? null : place
  const preview = useMovePreview(asked, target)
  const move = useChange('moveThings', { refreshes: SAYS_PROJECT })
  const { result } = preview
  const canMove = result?.things.every(({ problems }) => problems.length === 0) ?? false
  const isEverywhere = (id: string | null) => things.every(({ projectId }) => projectId === id)
  const [first] = things
  const options = [
    ...(isEverywhere(null) ? [] : [{ id: WHOLE, label: words.wholeOrganization }]),
    ...(projects.data ?? [])
      .filter(({ projectId }) => !isEverywhere(projectId))
      .map(({ projectId, name }) => ({ id: projectId, label: name })),
  ]
  const submit = async () => {
    if (target === undefined) return
    const done = await move.run({ body: { projectId: target, things: asked } })
    if (!done) return
    // Something has been changed since the preview: nothing was moved.
    if (!done.answer.isMoved) return preview.show(done.answer)
    const name = options.find(({ id }) => id === place)?.label
    showNotice({ title: words.moved(things.length, target === null ? null : (name ?? null)) })
    onMoved?.()
    onClose()
  }
  return (
    <FormDialog
      title={things.length === 1 && first ? words.title(first.name) : words.titleMany(things.length)}
      onClose={onClose}
      action={words.action}
      onSubmit={() => void submit()}
      isPending={move.isPending}
      isComplete={canMove}
      failed={words.failed}
      failure={move.failure}
    >
      <OptionPicker
        label={words.where}
        placeholder={words.choose}
        value={place}
        onChange={setPlace}
        options={options}
      />
      <FailurePanel title={words.checkFailed} failure={preview.failure} />
      {target !== undefined && result === null && preview.failure === null && (
        <Skeleton lines={3} label={words.checking} />
      )}
      {result && <Consequences result={result} />}
    </FormDialog>
  )
}

function Consequences({ result: { things, notices } }: { result: MoveResult }) {
  const refused = things.filter(({ problems }) => problems.length > 0)
  return (
    <div role="status">
      {refused.length > 0 && (
        <Callout tone="warn">
          <p>{words.prevented(things.length)}</p>
          <ul>
            {refused.flatMap(({ id, name, problems }) =>
              problems.map((problem) => <li key={`${id} ${problem}`}>{words.problem(name, problem)}</li>),
            )}
          </ul>
        </Callout>
      )}
      <Users things={things} />
      {refused.length === 0 && notices.length > 0 && (
        <Callout tone="info">
          <p>{words.changes}</p>
          <ul>
            {notices.map((notice) => (
              <li key={notice}>{notice}</li>
            ))}
          </ul>
        </Callout>
      )}
    </div>
  )
}

/** The uses of the resources, without moved ones. */
function Users({ things }: { things: readonly MovedThing[] }) {
  const own = new Set(things.map(({ id }) => id))
  const users = new Map(things.flatMap(({ usedBy }) => usedBy).map((user) => [user.id, user]))
  const others = [...users.values()].filter(({ id }) => !own.has(id))
  const unnamed = things.reduce((sum, { usedByCount, usedBy }) => sum + usedByCount - usedBy.length, 0)
  if (others.length + unnamed === 0) return null
  return (
    <>
      <p>{words.usedBy(others.length + unnamed)}</p>
      <UserLinks users={others} none="" />
      {unnamed > 0 && <p>{words.usedByMore(unnamed)}</p>}
    </>
  )
}
