import type { IdText, ProjectId } from '@troupe/contract'
import { useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { NumberField } from '../../atoms/controls/number-field.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { DialogForm } from '../../atoms/overlays/form-dialog.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { RestoredNote } from '../../atoms/states/restored-note.tsx'
import { serverNow } from '../../core/format/server-clock.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { type OperationChange, useChange } from '../../infrastructure/queries/use-operation.ts'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { OptionPicker } from '../../parts/pickers/option-picker.tsx'
import { SecretGuard } from '../../parts/unsaved/secret-guard.tsx'
import { useSecretClosing } from '../../parts/unsaved/use-secret-closing.ts'
import { chosenKeyEnd } from './key-state.ts'
import { NewSecret } from './new-secret.tsx'

const words = settingsWords.keys
const WHOLE = 'whole'
const ENDS = ['never', '30', '90', '365'] as const

interface KeyFields {
  name: string
  projectId: IdText<ProjectId>
  rpm: number | null
  ends: (typeof ENDS)[number]
}

/** Requires a name and limits, then shows the secret. */
export function NewKeyDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [secret, setSecret] = useState<string | null>(null)
  const create = useChange('createApiKey', { refreshes: ['listApiKeys'] })
  const close = () => {
    setSecret(null)
    onClose()
  }
  const closing = useSecretClosing(secret, close)
  return (
    <Dialog
      // Back closes it only in the URL: a secret that is shown once stays open until it is read.
      isOpen={isOpen || secret !== null || create.isPending}
      onClose={closing.close}
      title={secret === null ? words.createTitle : words.secretTitle}
      isDismissable={secret === null}
      // A key that is being created must be read: its secret is shown once.
      isHeld={create.isPending}
      {...(secret === null
        ? {}
        : {
            actions: (
              <Button emphasis="primary" onPress={close}>
                {words.done}
              </Button>
            ),
          })}
    >
      {secret === null ? (
        <NewKeyForm create={create} onMade={setSecret} onClose={closing.close} />
      ) : (
        <NewSecret secret={secret} onCopied={closing.onCopied} />
      )}
      <SecretGuard isActive={secret !== null || create.isPending} closing={closing.held} />
    </Dialog>
  )
}

interface NewKeyFormProps {
  create: OperationChange<'createApiKey'>
  onMade(secret: string | null): void
  onClose(): void
}

function NewKeyForm({ create, onMade, onClose }: NewKeyFormProps) {
  const { projectId: here } = usePlace()
  const typed = useTypedForm<KeyFields>('key/new', {
    name: '',
    projectId: here ?? WHOLE,
    rpm: null,
    ends: 'never',
  })
  const { name, projectId, rpm, ends } = typed.fields
  const projects = useProjects()
  const submit = async () => {
    if (create.isPending) return
    const made = await create.run({
      body: {
        name,
        rpm,
        ...chosenKeyEnd(ends, serverNow()),
        projectId: projectId === WHOLE ? null : projectId,
      },
    })
    if (!made) return
    typed.discard()
    onMade(made.answer.secret)
  }
  const failure = formFailure(create.failure, ['name', 'rpm'])
  const control = controlsOf(typed, create.failure)
  return (
    <DialogForm
      label={words.createTitle}
      onClose={onClose}
      onSubmit={submit}
      action={words.make}
      isPending={create.isPending}
      isComplete={name.trim() !== ''}
    >
      <FailurePanel title={words.createFailed} failure={failure} />
      <RestoredNote typed={typed} />
      <TextField
        label={words.name}
        description={words.nameDetail}
        {...control('name')}
        autoFocus
        isRequired
        maxLength={128}
      />
      {(projects.data?.length ?? 0) > 0 && (
        <OptionPicker
          label={words.project}
          description={words.projectDetail}
          value={projectId}
          onChange={(next) => typed.change({ projectId: next })}
          options={[
            { id: WHOLE, label: words.wholeOrganization },
            ...(projects.data ?? []).map((project) => ({ id: project.projectId, label: project.name })),
          ]}
        />
      )}
      <NumberField
        label={words.rpm}
        description={words.rpmDetail}
        isOptional
        {...control('rpm')}
        minValue={1}
      />
      <Select
        label={words.expires}
        value={ends}
        onChange={(next) => typed.change({ ends: next })}
        options={ENDS.map((id) => ({ id, label: id === 'never' ? words.never : words.inDays(Number(id)) }))}
      />
    </DialogForm>
  )
}
