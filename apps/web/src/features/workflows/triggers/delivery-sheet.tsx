import type { DeliveryId, IdText } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import { useState } from 'react'
import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { LinkButton } from '../../../atoms/controls/text-link.tsx'
import { Facts } from '../../../atoms/layout/page.tsx'
import { SideSheet } from '../../../atoms/overlays/dialog.tsx'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { byteSize } from '../../../core/format/numbers.ts'
import { fullTime } from '../../../core/format/times.ts'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'
import type { AnswerOf } from '../../../infrastructure/client/operation-types.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { RunDialog } from '../parts/run-dialog.tsx'
import styles from './triggers.module.css'

const words = triggerWords.deliveries
type Delivery = AnswerOf<'getDelivery'>

export interface DeliverySheetProps {
  workflow: BuilderWorkflow
  deliveryId: IdText<DeliveryId>
  onClose(): void
}

/** One call of the webhook: request, response, and reason. */
export function DeliverySheet({ workflow, deliveryId, onClose }: DeliverySheetProps) {
  const { workflowId } = workflow
  const [isAgain, setAgain] = useState(false)
  const delivery = useOperation('getDelivery', { params: { workflowId, deliveryId } })
  if (isAgain && delivery.data) {
    const value = { body: delivery.data.payload }
    return (
      <RunDialog
        workflow={workflow}
        payload={{ deliveryId: delivery.data.deliveryId, value, triggerType: 'http-request' }}
        onClose={() => setAgain(false)}
      />
    )
  }
  return (
    <SideSheet isOpen title={words.one} onClose={onClose}>
      <AskedPanel asked={delivery} failed={words.oneFailed}>
        {(data) => <DeliveryParts delivery={data} onAgain={() => setAgain(true)} />}
      </AskedPanel>
    </SideSheet>
  )
}

function DeliveryParts({ delivery, onAgain }: { delivery: Delivery; onAgain(): void }) {
  const { paths } = usePlace()
  const refusal = useRefusal('build')
  const { receivedAt, status, reason, executionId, ip, headers, body, payload, bodyBytes } = delivery
  const facts = [
    { name: words.received, value: fullTime(receivedAt) },
    { name: words.status, value: <Badge tone={status < 300 ? 'good' : 'bad'}>{status}</Badge> },
    ...(reason === null ? [] : [{ name: words.reason, value: reason }]),
    { name: words.ip, value: ip ?? '–' },
    { name: words.size, value: byteSize(bodyBytes) },
  ]
  const text = payload === null ? body : asJson(payload)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <div className={styles.sheet}>
      <Facts facts={facts} />
      <div className={styles.bar}>
        {executionId !== null && <LinkButton href={paths.run(executionId)}>{words.run}</LinkButton>}
        {payload !== null && (
          <RefusableButton refusal={refusal} onPress={onAgain}>
            {words.again}
          </RefusableButton>
        )}
      </div>
      {!delivery.isComplete && <Callout tone="warn">{words.cut}</Callout>}
      {body === '' ? (
        <p className={styles.muted}>{words.noBody}</p>
      ) : (
        <div className={styles.labelled}>
          <h3>{words.body}</h3>
          <CodeBlock label={words.body} text={text} isWrapped />
        </div>
      )}
      <div className={styles.labelled}>
        <h3>{words.headers}</h3>
        <CodeBlock label={words.headers} text={lines.join('\n')} isWrapped />
      </div>
    </div>
  )
}
