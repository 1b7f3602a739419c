import { useState } from 'react'
import { RadioGroup } from '../../atoms/controls/choices.tsx'
import { ComboBox } from '../../atoms/controls/combo-box.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { Toggle } from '../../atoms/controls/toggles.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { newWorkflowWords as words } from '../../core/messages/en/workflows/page.ts'
import { STARTS, type Start, startingDraft } from '../../core/workflows/starting-drafts.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'

/** Asks how a workflow starts and what follows, so that its first draft can be published as it is. */
export function NewWorkflowDialog({ onClose }: { onClose(): void }) {
  const { paths, projectId } = usePlace()
  const goTo = useGoTo()
  const [name, setName] = useState('')
  const [start, setStart] = useState<Start>('manual-trigger')
  const [agentId, setAgent] = useState<string | null>(null)
  const [isReviewed, setReviewed] = useState(false)
  const agents = useOperation('listAgents', { query: { limit: 100, sort: 'name', status: 'active' } })
  const create = useChange('createWorkflow', { refreshes: ['listWorkflows'] })
  const submit = async () => {
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const draft = startingDraft({ start, agentId, isReviewed, timeZone }, words.names)
    const body = { name, draft: { ...draft }, ...(projectId ? { projectId } : {}) }
    const made = await create.run({ body })
    if (made) goTo(paths.workflow(made.answer.workflowId))
  }
  return (
    <FormDialog
      title={words.title}
      onClose={onClose}
      action={words.action}
      onSubmit={submit}
      isPending={create.isPending}
      isComplete={name.trim() !== ''}
      failed={words.failed}
      failure={formFailure(create.failure, ['name'])}
    >
      <TextField
        label={words.name}
        value={name}
        onChange={setName}
        autoFocus
        isRequired
        maxLength={128}
        error={fieldFailure(create.failure, 'name')}
      />
      <RadioGroup
        label={words.start}
        value={start}
        onChange={setStart}
        options={STARTS.map((id) => ({ id, ...words.starts[id] }))}
      />
      <ComboBox
        label={words.next}
        description={agentId === null ? words.nothingDetail : null}
        placeholder={words.nothing}
        isOptional
        value={agentId}
        onChange={setAgent}
        options={(agents.data?.data ?? []).map(({ agentId: id, name: agent }) => ({
          id,
          label: words.ask(agent),
        }))}
      />
      {agentId !== null && (
        <Toggle isSelected={isReviewed} onChange={setReviewed}>
          {words.reviewed}
        </Toggle>
      )}
    </FormDialog>
  )
}
