import { isJsonObject, type JsonObject } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { GraphNode } from '@troupe/graph'
import { sampleFields } from '@troupe/nodes/sample-payload'
import { Download, RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Section } from '../../../atoms/layout/page.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { sampleWords as words } from '../../../core/messages/en/workflows/samples.ts'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { useTypedForm } from '../../../infrastructure/drafts/use-typed-form.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { JsonValueField } from '../../../parts/config-form/json-value-field.tsx'
import { SaveState } from '../editing/save-state.tsx'
import { PayloadValueField } from '../parts/payload-value-field.tsx'
import styles from './sample-values.module.css'
import { useSampleValues } from './use-sample-values.ts'

/** Typing continues while values are stored, so saves are debounced. */
const REST_MS = 800

export interface SampleValuesProps {
  workflow: BuilderWorkflow
  /** An HTTP Request or a Form Trigger. */
  node: GraphNode
}

/** The sample values of a trigger's fields. They are stored as they are typed. */
export function SampleValues({ workflow, node }: SampleValuesProps) {
  const refusal = useRefusal('build')
  const sample = useSampleValues(workflow, node)
  const typed = useTypedForm(`sample/${workflow.workflowId}/${node.id}`, { values: sample.values })
  const { values } = typed.fields
  const { isChanged } = typed
  const latest = useRef({ sample, typed })
  latest.current = { sample, typed }
  const save = async () => {
    const { sample: now, typed: form } = latest.current
    // The form as it was sent: input in the meantime is an edit of it.
    if ((await now.store(form.fields.values)) === 'stored') form.settle()
  }
  const isRefused = sample.failure !== null
  useEffect(() => {
    // A refused save is repeated by the next input or by a press, and one that waits for the draft once that is saved. One at a time: of two,
    // the older one might arrive last.
    if (!isChanged || isRefused || sample.isBlocked || refusal !== null || sample.isPending) return
    const timer = setTimeout(() => void save(), REST_MS)
    return () => clearTimeout(timer)
  })
  // Values typed just before the step is closed.
  useEffect(
    () => () => {
      const { sample: now, typed: form } = latest.current
      if (form.isChanged && now.failure === null)
        void now.store(form.fields.values).then((outcome) => outcome === 'stored' && form.settle())
    },
    [],
  )
  const fields = sampleFields(node)
  const names = new Set(fields.map(({ name }) => name))
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))
  const put = (next: JsonObject) => typed.change({ values: next })
  const hasOthers = node.type === 'http-request' && (fields.length === 0 || Object.keys(others).length > 0)
  return (
    <Section title={words.title} detail={words.detail}>
      <div className={styles.fields}>
        {fields.map((field) => (
          <PayloadValueField
            key={field.name}
            id={`sample ${node.id} ${field.name}`}
            field={field}
            label={field.name}
            value={values[field.name]}
            isReadOnly={refusal !== null}
            isSample
            onChange={(value) => {
              const { [field.name]: _former, ...rest } = values
              put(value === undefined ? rest : { ...values, [field.name]: value })
            }}
          />
        ))}
        {hasOthers && (
          <JsonValueField
            id={`sample ${node.id} others`}
            label={fields.length === 0 ? words.title : words.other}
            description={fields.length === 0 ? words.none : words.otherDetail}
            isObject
            isReadOnly={refusal !== null}
            value={others}
            maxLines={10}
            onChange={(next) => {
              const declared = Object.entries(values).filter(([name]) => names.has(name))
              put({ ...Object.fromEntries(declared), ...(isJsonObject(next) ? next : {}) })
            }}
          />
        )}
      </div>
      <FailurePanel title={words.storeFailed} failure={sample.failure} />
      <div className={styles.bar}>
        <FillFromCall
          {...{ workflow, node, refusal }}
          onFill={async (payload) => {
            if ((await latest.current.sample.take(payload, words.filled)) !== 'stored') return
            latest.current.typed.discard()
          }}
        />
        {sample.of === 'draft' && (
          <RefusableButton
            size="small"
            icon={<RotateCcw size={14} />}
            refusal={refusal}
            onPress={() => {
              typed.discard()
              void sample.remove()
            }}
          >
            {words.generate}
          </RefusableButton>
        )}
        {isChanged && isRefused && (
          <SendButton size="small" isPending={sample.isPending} onPress={() => void save()}>
            {words.tryAgain}
          </SendButton>
        )}
        {isChanged && sample.isBlocked ? (
          <SaveState workflow={workflow} />
        ) : (
          <span role="status" className={styles.muted}>
            {stateWords({ isChanged: isChanged || sample.isPending, isRefused, of: sample.of })}
          </span>
        )}
      </div>
    </Section>
  )
}

interface SampleState {
  isChanged: boolean
  isRefused: boolean
  of: keyof typeof words.of
}

function stateWords({ isChanged, isRefused, of }: SampleState): string {
  if (isRefused) return ''
  return isChanged ? words.storing : words.of[of]
}

interface FillFromCallProps extends SampleValuesProps {
  refusal: string | null
  onFill(payload: JsonObject): Promise<void>
}

/** Takes the body of the newest accepted call of the trigger's listener. */
function FillFromCall({ workflow: { workflowId }, node, refusal, onFill }: FillFromCallProps) {
  const kind = node.type === 'form-trigger' ? 'form' : 'webhook'
  const { organizationId } = usePlace().membership
  const listed = useOperation('listListeners', { params: { workflowId } }, { isEnabled: refusal === null })
  const [state, setState] = useState<{ isPending: boolean; failure: CallFailure | null }>(IDLE)
  const listener = listed.data?.data.find((one) => one.kind === kind)
  const call = listener?.calls.find(({ verdict }) => verdict === 'accepted')
  const fill = async () => {
    if (!listener || !call) return
    setState({ isPending: true, failure: null })
    try {
      const params = { workflowId, listenerId: listener.listenerId, callId: call.callId }
      const { payload, isComplete } = await callOperation('getListenerCall', organizationId, { params })
      if (isJsonObject(payload) && isComplete) await onFill(payload)
      else showNotice({ tone: 'bad', title: isComplete ? words.noObject : words.cut })
      setState(IDLE)
    } catch (error) {
      setState({ isPending: false, failure: asCallFailure(error) })
    }
  }
  return (
    <>
      <RefusableButton
        size="small"
        icon={<Download size={14} />}
        refusal={refusal ?? (call ? null : words.noCall)}
        isPending={state.isPending}
        onPress={() => void fill()}
      >
        {words.fill}
      </RefusableButton>
      <FailurePanel title={words.callFailed} failure={state.failure} />
    </>
  )
}

const IDLE = { isPending: false, failure: null }
