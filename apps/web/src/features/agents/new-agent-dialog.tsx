import { TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { agentWords } from '../../core/messages/en/lists.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** Creating an agent asks for a name only. */
export function NewAgentDialog({ onClose }: { onClose(): void }) {
  const { paths, projectId } = usePlace()
  const goTo = useGoTo()
  const typed = useTypedForm('agent/new', { name: '' })
  const { name } = typed.fields
  const create = useChange('createAgent', { refreshes: ['listAgents', 'getAgent'] })
  const submit = async () => {
    const made = await create.run({ body: { name, ...(projectId ? { projectId } : {}) } })
    if (!made) return
    typed.discard()
    goTo(paths.agent(made.answer.agentId))
  }
  return (
    <FormDialog
      title={agentWords.create}
      onClose={onClose}
      action={agentWords.createAction}
      onSubmit={submit}
      isPending={create.isPending}
      failed={agentWords.createFailed}
      failure={formFailure(create.failure, ['name'])}
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
    </FormDialog>
  )
}
