import type { IdText, WorkflowId } from '@troupe/contract'
import type { HostedForm } from '@troupe/contract/builder'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { CopyField } from '../../../atoms/controls/copy-field.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { Card, Facts, Section } from '../../../atoms/layout/page.tsx'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import { fieldFailure, formFailure } from '../../../infrastructure/client/field-failure.ts'
import { useChange, useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { ConfirmChange } from '../../../parts/confirm-change/confirm-change.tsx'
import styles from './triggers.module.css'

const words = triggerWords.form

/** The form page that starts the workflow: its link, its access, and how other sites embed it. */
export function FormSection({ workflowId }: { workflowId: IdText<WorkflowId> }) {
  const form = useOperation('getHostedForm', { params: { workflowId } })
  return (
    <Section title={words.title} detail={words.detail}>
      <AskedPanel asked={form} failed={words.failed}>
        {(data) => <FormParts workflowId={workflowId} form={data} />}
      </AskedPanel>
    </Section>
  )
}

function FormParts({ workflowId, form }: { workflowId: IdText<WorkflowId>; form: HostedForm }) {
  const refusal = useRefusal('build')
  const [asks, setAsks] = useState<'link' | 'password' | null>(null)
  const close = () => setAsks(null)
  const { url, published, auth, embed } = form
  if (url === null) return <p className={styles.muted}>{words.unpublished}</p>
  return (
    <Card>
      <CopyField label={words.link} text={url} isLink={published} />
      <div className={styles.bar}>
        {published && (
          <TextLink href={url} isExternal>
            {words.open}
            <ExternalLink size={12} aria-hidden="true" />
          </TextLink>
        )}
        <RefusableButton size="small" refusal={refusal} onPress={() => setAsks('link')}>
          {words.rotate}
        </RefusableButton>
        {auth?.mode === 'basic' && (
          <RefusableButton size="small" refusal={refusal} onPress={() => setAsks('password')}>
            {words.changePassword}
          </RefusableButton>
        )}
      </div>
      {auth && <Facts facts={[{ name: words.access, value: accessWords(auth) }]} />}
      {embed && (
        <>
          <CodeBlock label={words.embedCode} text={embed.html} isWrapped />
          <p className={styles.muted}>
            {embed.origins.length === 0 ? words.noOrigins : words.origins(embed.origins.join(', '))}
          </p>
        </>
      )}
      {asks === 'link' && <RotateFormDialog workflowId={workflowId} onClose={close} />}
      {asks === 'password' && <FormPasswordDialog workflowId={workflowId} onClose={close} />}
    </Card>
  )
}

function accessWords({ mode, username }: NonNullable<HostedForm['auth']>): string {
  return mode === 'basic' ? words.modes.basic(username) : words.modes[mode]
}

/** The input is a secret, so it is not stored beyond the dialog. */
function FormPasswordDialog({ workflowId, onClose }: { workflowId: IdText<WorkflowId>; onClose(): void }) {
  const [password, setPassword] = useState('')
  const change = useChange('setFormPassword', { refreshes: ['getHostedForm'] })
  const submit = async () => {
    const changed = await change.run({ params: { workflowId }, body: { password } })
    if (!changed) return
    showNotice({ title: words.passwordChanged })
    onClose()
  }
  return (
    <FormDialog
      title={words.passwordTitle}
      onClose={onClose}
      action={words.passwordAction}
      onSubmit={submit}
      isPending={change.isPending}
      isComplete={password !== ''}
      failed={words.passwordFailed}
      failure={formFailure(change.failure, ['password'])}
    >
      <TextField
        label={words.password}
        description={words.passwordDetail}
        isSecret
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        isRequired
        autoFocus
        error={fieldFailure(change.failure, 'password')}
      />
    </FormDialog>
  )
}

function RotateFormDialog({ workflowId, onClose }: { workflowId: IdText<WorkflowId>; onClose(): void }) {
  return (
    <ConfirmChange
      operation="rotateFormToken"
      input={{ params: { workflowId } }}
      refreshes={['getHostedForm', 'getWorkflow', 'previewPublish']}
      title={words.rotateTitle}
      action={words.rotateAction}
      failed={words.rotateFailed}
      done={words.rotated}
      onClose={onClose}
    >
      {words.rotateText}
    </ConfirmChange>
  )
}
