import type { DeliveryId, IdText, WorkflowId } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import type { GraphNode } from '@troupe/graph'
import { readsBody } from '@troupe/nodes/call-input'
import { samplePayload, withSamples } from '@troupe/nodes/sample-payload'
import { Select } from '../../../atoms/controls/select.tsx'
import { CommandEnter } from '../../../atoms/keys/command-enter.tsx'
import { Dialog, DialogActions } from '../../../atoms/overlays/dialog.tsx'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { RestoredNote } from '../../../atoms/states/restored-note.tsx'
import { useSendingRefusal } from '../../../atoms/states/sending-refusal.ts'
import { runByHandWords as words } from '../../../core/messages/en/workflows/running.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'
import { useTypedForm } from '../../../infrastructure/drafts/use-typed-form.ts'
import { useChange, useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { useSamples } from '../../../parts/trigger-samples/use-samples.ts'
import { PayloadInputField, usePayloadInput } from './payload-field.tsx'
import { firstTrigger, TRIGGERS } from './trigger-payload.ts'

export interface RunDialogProps {
  workflow: Pick<BuilderWorkflow, 'workflowId' | 'deployment' | 'publishedNumber'>
  /** The payload of a delivery, for example; without it the sample of the trigger. */
  payload?: { deliveryId: IdText<DeliveryId>; value: unknown; triggerType: string }
  onClose(): void
}

/** Starts a run of the published version, with a trigger and a payload. */
export function RunDialog({ workflow, payload, onClose }: RunDialogProps) {
  const { workflowId, deployment } = workflow
  const samples = useSamples(workflowId)
  const version = useOperation(
    'getWorkflowVersion',
    { params: { workflowId, versionId: deployment?.versionId ?? '' } },
    { isEnabled: deployment !== null },
  )
  return (
    <Dialog isOpen onClose={onClose} title={words.title} width="wide">
      <AskedPanel asked={version} failed={words.failed} lines={6}>
        {({ graph, number }) => {
          const { nodes } = readGraph(graph)
          const triggers = withSamples(nodes, samples).filter(({ type }) => TRIGGERS.includes(type))
          return (
            <RunForm
              workflowId={workflowId}
              number={number}
              triggers={triggers}
              isBody={readsBody(nodes)}
              {...(payload && { payload })}
              onClose={onClose}
            />
          )
        }}
      </AskedPanel>
    </Dialog>
  )
}

interface RunFormProps extends Pick<RunDialogProps, 'payload' | 'onClose'> {
  workflowId: IdText<WorkflowId>
  /** null: no longer published. */
  number: number | null
  triggers: readonly GraphNode[]
  /** Whether the steps read a webhook's body. */
  isBody: boolean
}

interface RunFields {
  triggerNodeId: string | null
  text: string
}

function RunForm({ workflowId, number, triggers, isBody, payload, onClose }: RunFormProps) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const first = triggers.find(({ type }) => type === payload?.triggerType) ?? firstTrigger(triggers)
  const typed = useTypedForm<RunFields>(`run/${workflowId}/${payload?.deliveryId ?? 'sample'}`, {
    triggerNodeId: first?.id ?? null,
    text: asJson(payload ? payload.value : first ? samplePayload(first, isBody) : {}),
  })
  const { text } = typed.fields
  // The stored choice may name a trigger missing in the published version.
  const kept = triggers.find(({ id }) => id === typed.fields.triggerNodeId)
  const triggerNodeId = (kept ?? first)?.id ?? null
  const input = usePayloadInput(kept ?? first, text, triggers)
  const offline = useSendingRefusal()
  const start = useChange('startWorkflowRun', { refreshes: ['listRuns'] })
  const choose = (id: string) => {
    const [former, chosen] = [triggerNodeId, id].map((one) => triggers.find((node) => node.id === one))
    // An entered payload applies to any selection.
    const isSample = former === undefined || text === asJson(samplePayload(former, isBody))
    const sample = chosen && !payload && isSample ? { text: asJson(samplePayload(chosen, isBody)) } : {}
    typed.change({ triggerNodeId: id, ...sample })
  }
  // As on the server: every trigger of the kind, or every trigger if there is none.
  const ofKind = triggers.filter(({ type }) => type === payload?.triggerType)
  const startedBefore = payload ? (ofKind.length > 0 ? ofKind : triggers).length : 0
  const run = async () => {
    if (input.payload === null || input.problem !== null) return
    const body = { payload: input.payload.value, ...(triggerNodeId === null ? {} : { triggerNodeId }) }
    const started = await start.run({ params: { workflowId }, body })
    if (!started) return
    typed.discard()
    goTo(paths.run(started.answer.executionId))
  }
  const runByKey = () => input.problem === null && offline === null && !start.isPending && void run()
  return (
    <CommandEnter onEnter={runByKey}>
      {number !== null && <p>{words.detail(number)}</p>}
      <FailurePanel title={words.failed} failure={start.failure} />
      <RestoredNote typed={typed} />
      {startedBefore > 1 && <Callout>{words.startsOne(startedBefore)}</Callout>}
      {triggers.length > 1 && (
        <Select
          label={words.trigger}
          value={triggerNodeId}
          onChange={choose}
          options={triggers.map(({ id, name }) => ({ id, label: name }))}
        />
      )}
      <PayloadInputField input={input} maxLines={16} onChange={(next) => typed.change({ text: next })} />
      <DialogActions missing={input.problem} onCancel={onClose}>
        <SendButton
          emphasis="primary"
          isPending={start.isPending}
          isDisabled={input.problem !== null}
          onPress={run}
        >
          {words.action}
        </SendButton>
      </DialogActions>
    </CommandEnter>
  )
}
