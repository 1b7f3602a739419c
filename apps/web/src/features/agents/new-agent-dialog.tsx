import { useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { FormLayout } from '../../atoms/layout/page.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { ErrorPanel } from '../../atoms/states/panels.tsx'
import { agentWords } from '../../core/messages/en/lists.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'

/** Creating an agent asks for a name only. */
export function NewAgentDialog({ onClose }: { onClose(): void }) {
  const { paths, projectId } = usePlace()
  const goTo = useGoTo()
  const [name, setName] = useState('')
  const create = useChange('createAgent', { refreshes: ['listAgents'] })
  const submit = async () => {
    const made = await create.run({ body: { name, ...(projectId ? { projectId } : {}) } })
    if (made) goTo(paths.agent(made.answer.agentId))
  }
  const { failure } = create
  const ofName = failure?.errors.find(({ path }) => path === 'name')?.message ?? null
  return (
    <Dialog isOpen onClose={onClose} title={agentWords.create}>
      <FormLayout
        label={agentWords.create}
        onSubmit={submit}
        actions={
          <Button emphasis="primary" type="submit" isPending={create.isPending}>
            {agentWords.createAction}
          </Button>
        }
      >
        {failure && ofName === null && (
          <ErrorPanel
            title={agentWords.createFailed}
            message={failure.message}
            requestId={failure.requestId}
          />
        )}
        <TextField
          label={agentWords.nameLabel}
          description={agentWords.nameDetail}
          value={name}
          onChange={setName}
          autoFocus
          isRequired
          maxLength={255}
          error={ofName}
        />
      </FormLayout>
    </Dialog>
  )
}
