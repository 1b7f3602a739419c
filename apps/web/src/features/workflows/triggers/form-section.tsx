import type { HostedForm } from '@troupe/builder-contract'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { CopyField } from '../../../atoms/controls/copy-field.tsx'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { Card, Facts, Section } from '../../../atoms/layout/page.tsx'
import { ConfirmDialog } from '../../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import { permissionRefusal } from '../../../core/permissions/refusal.ts'
import { useChange, useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/session/session.ts'
import styles from './triggers.module.css'

const words = triggerWords.form

/** The page that starts the workflow: its link, who may open it, and how other sites embed it. */
export function FormSection({ workflowId }: { workflowId: string }) {
  const form = useOperation('getHostedForm', { params: { workflowId } })
  return (
    <Section title={words.title} detail={words.detail}>
      <AskedPanel asked={form} failed={words.failed}>
        {(data) => <FormParts workflowId={workflowId} form={data} />}
      </AskedPanel>
    </Section>
  )
}

function FormParts({ workflowId, form }: { workflowId: string; form: HostedForm }) {
  const { role } = usePlace()
  const [isAsking, setAsking] = useState(false)
  const { url, published, auth, embed } = form
  if (url === null) return <p className={styles.muted}>{words.unpublished}</p>
  return (
    <Card>
      <CopyField label={words.link} text={url} />
      <div className={styles.bar}>
        {published && (
          <TextLink href={url} isExternal>
            {words.open} <ExternalLink size={12} aria-hidden="true" />
          </TextLink>
        )}
        <RefusableButton
          size="small"
          refusal={permissionRefusal(role, 'build')}
          onPress={() => setAsking(true)}
        >
          {words.rotate}
        </RefusableButton>
      </div>
      {auth && <Facts facts={[{ name: words.access, value: accessWords(auth) }]} />}
      {embed && (
        <>
          <CodeBlock label={words.embed} text={embed.html} isWrapped />
          <p className={styles.muted}>
            {embed.origins.length === 0 ? words.noOrigins : words.origins(embed.origins.join(', '))}
          </p>
        </>
      )}
      {isAsking && <RotateFormDialog workflowId={workflowId} onClose={() => setAsking(false)} />}
    </Card>
  )
}

function accessWords({ mode, username }: NonNullable<HostedForm['auth']>): string {
  return mode === 'basic' ? words.modes.basic(username) : words.modes[mode]
}

function RotateFormDialog({ workflowId, onClose }: { workflowId: string; onClose(): void }) {
  const rotate = useChange('rotateFormToken', {
    refreshes: ['getHostedForm', 'getWorkflow', 'previewPublish'],
  })
  const confirm = async () => {
    if (!(await rotate.run({ params: { workflowId } }))) return
    onClose()
    showNotice({ title: words.rotated })
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.rotateTitle}
      action={words.rotateAction}
      isDanger
      isPending={rotate.isPending}
      failed={words.rotateFailed}
      failure={rotate.failure}
      onConfirm={confirm}
    >
      {words.rotateText}
    </ConfirmDialog>
  )
}
