import { TextArea, TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { agentWords } from '../../core/messages/en/lists.ts'
import { moveWords } from '../../core/messages/en/parts/move.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoToMade } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ProjectField } from '../../parts/project-field/project-field.tsx'

export interface NewAgentDialogProps {
  /** Filled with an agent that works as it is. */
  isExample: boolean
  onClose(): void
}

/** Creating an agent asks for a name only; an example shows its instructions, too. */
export function NewAgentDialog({ isExample, onClose }: NewAgentDialogProps) {
  const { paths, projectId: here } = usePlace()
  const goToMade = useGoToMade()
  const typed = useTypedForm(isExample ? 'agent/example' : 'agent/new', {
    ...(isExample ? agentWords.example : { name: '', instructions: '' }),
    projectId: here,
  })
  const { name, instructions, projectId } = typed.fields
  const create = useChange('createAgent', { refreshes: ['listAgents', 'getAgent'] })
  const submit = async () => {
    const config = instructions === '' ? {} : { config: { instructions } }
    const made = await create.run({ body: { name, ...config, projectId } })
    if (!made) return
    typed.discard()
    goToMade(paths.agent(made.answer.agentId))
  }
  return (
    <FormDialog
      title={agentWords.create}
      onClose={onClose}
      action={agentWords.createAction}
      onSubmit={submit}
      isPending={create.isPending}
      isComplete={name.trim() !== ''}
      failed={agentWords.createFailed}
      failure={formFailure(create.failure, ['name', 'config.instructions', 'projectId'])}
      typed={typed}
    >
      <TextField
        label={agentWords.nameLabel}
        description={agentWords.nameDetail}
        value={name}
        onChange={(next) => typed.change({ name: next })}
        autoFocus
        isRequired
        maxLength={128}
        error={fieldFailure(create.failure, 'name')}
      />
      {isExample && (
        <TextArea
          label={agentWords.instructionsLabel}
          value={instructions}
          onChange={(next) => typed.change({ instructions: next })}
          rows={7}
          error={fieldFailure(create.failure, 'config.instructions')}
        />
      )}
      <ProjectField
        label={moveWords.project}
        wholeOrganization={moveWords.wholeOrganization}
        value={projectId}
        onChange={(next) => typed.change({ projectId: next })}
        error={fieldFailure(create.failure, 'projectId')}
      />
    </FormDialog>
  )
}
