import type { IdText, WorkflowId } from '@troupe/contract'
import type { RevealedWebhook, Webhook } from '@troupe/contract/builder'
import type { GraphNode } from '@troupe/graph'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { Button } from '../../../atoms/controls/button.tsx'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { CopyField } from '../../../atoms/controls/copy-field.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { ActionMenu } from '../../../atoms/overlays/menu.tsx'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import { useChange, useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { PayloadFields } from './payload-fields.tsx'
import { RotateSecretDialog, RotateWebhookUrlDialog } from './rotate-webhook-dialogs.tsx'
import styles from './triggers.module.css'

const words = triggerWords.webhook
const LANGUAGES = ['curl', 'node', 'python'] as const

export interface WebhookSectionProps {
  workflowId: IdText<WorkflowId>
  /** The HTTP Request trigger; null: a call starts every trigger. */
  trigger: GraphNode | null
}

/** The signed URL of a workflow. The secret is only in the state of this part, and only after a press. */
export function WebhookSection({ workflowId, trigger }: WebhookSectionProps) {
  const { may } = usePlace()
  const refusal = useRefusal('build')
  const webhook = useOperation('getWebhook', { params: { workflowId } }, { isEnabled: may('build') })
  return (
    <Section title={words.title} detail={trigger ? words.detail : words.none}>
      {may('build') ? (
        <AskedPanel asked={webhook} failed={words.failed}>
          {(data) => <WebhookParts workflowId={workflowId} webhook={data} />}
        </AskedPanel>
      ) : (
        <Callout>{refusal}</Callout>
      )}
      {trigger && <PayloadFields trigger={trigger} />}
    </Section>
  )
}

function WebhookParts({ workflowId, webhook }: { workflowId: IdText<WorkflowId>; webhook: Webhook }) {
  const [revealed, setRevealed] = useState<RevealedWebhook | null>(null)
  const [question, setQuestion] = useState<'secret' | 'url' | null>(null)
  const reveal = useChange('revealWebhook')
  // A displayed secret belongs to the URL and the hint at that time.
  const shown = revealed?.url === webhook.url && revealed.hint === webhook.hint ? revealed : null
  const show = async () => {
    const found = await reveal.run({ params: { workflowId } })
    if (found) setRevealed(found.answer)
  }
  return (
    <Card>
      <CopyField label={words.url} text={webhook.url} />
      {shown ? (
        <CopyField label={words.secret} text={shown.signingSecret} />
      ) : (
        <CopyField label={words.secret} text={words.hidden(webhook.hint)} isCopied={false} />
      )}
      <FailurePanel title={words.revealFailed} failure={reveal.failure} />
      <div className={styles.bar}>
        {shown ? (
          <Button size="small" icon={<EyeOff size={14} />} onPress={() => setRevealed(null)}>
            {words.hide}
          </Button>
        ) : (
          <SendButton size="small" icon={<Eye size={14} />} isPending={reveal.isPending} onPress={show}>
            {words.reveal}
          </SendButton>
        )}
        <ActionMenu
          label={words.more}
          entries={[
            { id: 'secret', label: words.rotateSecret, onAction: () => setQuestion('secret') },
            { id: 'url', label: words.rotateUrl, isDanger: true, onAction: () => setQuestion('url') },
          ]}
        />
        <span className={styles.muted}>{words.revealDetail}</span>
      </div>
      {webhook.previousSecretUntil !== null && (
        <Callout tone="warn">
          {words.previous} <MomentText at={webhook.previousSecretUntil} />
        </Callout>
      )}
      <Snippets webhook={shown ?? webhook} works={shown !== null} />
      {question === 'secret' && (
        <RotateSecretDialog
          workflowId={workflowId}
          onRotated={setRevealed}
          onClose={() => setQuestion(null)}
        />
      )}
      {question === 'url' && (
        <RotateWebhookUrlDialog workflowId={workflowId} onClose={() => setQuestion(null)} />
      )}
    </Card>
  )
}

function Snippets({ webhook, works }: { webhook: Webhook; works: boolean }) {
  const [language, setLanguage] = useState<(typeof LANGUAGES)[number]>('curl')
  return (
    <>
      <div className={styles.bar}>
        <Segments
          label={words.snippets}
          value={language}
          onChange={setLanguage}
          options={LANGUAGES.map((id) => ({ id, label: words.languages[id] }))}
        />
        <span className={styles.muted}>{works ? words.works : words.placeholder}</span>
      </div>
      <CodeBlock label={words.snippet} text={webhook.snippets[language]} />
    </>
  )
}
