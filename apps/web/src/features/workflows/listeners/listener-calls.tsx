import { isJsonObject } from '@troupe/contract'
import type { BuilderWorkflow, Listener, ListenerCall, ListenerCallHead } from '@troupe/contract/builder'
import type { GraphNode } from '@troupe/graph'
import { useEffect, useRef, useState } from 'react'
import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { Disclosure } from '../../../atoms/layout/disclosure.tsx'
import { LazyDialog } from '../../../atoms/overlays/lazy-dialog.tsx'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { listenerWords as words } from '../../../core/messages/en/workflows/listeners.ts'
import { sampleWords } from '../../../core/messages/en/workflows/samples.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { useSampleValues } from '../samples/use-sample-values.ts'
import styles from './listeners.module.css'

const TestDialog = lazyPart(async () => (await import('../draft-test/test-dialog.tsx')).TestDialog)

export interface ListenerCallsProps {
  workflow: BuilderWorkflow
  node: GraphNode
  listener: Listener
}

/** The incoming calls of a listener, newest first. */
export function ListenerCalls({ workflow, node, listener }: ListenerCallsProps) {
  const { kind, calls, callCount } = listener
  const [tested, setTested] = useState<ListenerCall | null>(null)
  const said = useNewestCall(calls)
  return (
    <section aria-label={words.calls} className={styles.call}>
      <div className={styles.bar}>
        <h3>{words.calls}</h3>
        <p role="status" className={styles.muted}>
          {said === null ? '' : words.came(words.verdicts[said.verdict])}
        </p>
      </div>
      {calls.length === 0 && <p className={styles.muted}>{words.noCalls[kind]}</p>}
      <div>
        {calls.map((call) => (
          <Disclosure
            key={call.callId}
            lead={
              <Badge tone={call.verdict === 'accepted' ? 'good' : 'bad'}>
                {words.verdicts[call.verdict]}
              </Badge>
            }
            title={<MomentText at={Date.parse(call.receivedAt) / 1000} />}
            end={words.status(call.status)}
          >
            <CallParts {...{ workflow, node, listener, call }} onTest={setTested} />
          </Disclosure>
        ))}
      </div>
      {callCount > calls.length && <p className={styles.muted}>{words.notKept(callCount - calls.length)}</p>}
      {tested !== null && (
        <LazyDialog>
          <TestDialog
            {...{ workflow, kind: 'all', nodeId: null, path: '', fromRunId: null }}
            payload={{ callId: tested.callId, triggerNodeId: node.id, value: { body: tested.payload } }}
            onClose={() => setTested(null)}
          />
        </LazyDialog>
      )}
    </section>
  )
}

/** The newest call that arrived while this is displayed. */
function useNewestCall(calls: readonly ListenerCallHead[]): ListenerCallHead | null {
  const newest = calls[0] ?? null
  const first = useRef(newest?.callId ?? null)
  const [said, say] = useState<ListenerCallHead | null>(null)
  useEffect(() => {
    if (newest !== null && newest.callId !== first.current) say(newest)
  }, [newest])
  return said
}

interface CallPartsProps extends ListenerCallsProps {
  call: ListenerCallHead
  onTest(call: ListenerCall): void
}

function CallParts({ workflow, node, listener, call, onTest }: CallPartsProps) {
  const { workflowId } = workflow
  const { listenerId, kind } = listener
  const refusal = useRefusal('build')
  const sample = useSampleValues(workflow, node)
  const asked = useOperation(
    'getListenerCall',
    { params: { workflowId, listenerId, callId: call.callId } },
    { isFinal: true },
  )
  const use = async (payload: unknown) => {
    if (isJsonObject(payload)) await sample.take(payload, words.sampled)
  }
  return (
    <div className={styles.call}>
      {call.reason !== null && (
        <Callout tone={call.verdict === 'accepted' ? 'warn' : 'bad'}>{call.reason}</Callout>
      )}
      <AskedPanel asked={asked} failed={words.callFailed}>
        {(whole) => (
          <>
            {call.verdict === 'accepted' && (
              <div className={styles.bar}>
                <RefusableButton
                  size="small"
                  refusal={refusal ?? (isJsonObject(whole.payload) ? null : words.noSample)}
                  isPending={sample.isPending}
                  onPress={() => void use(whole.payload)}
                >
                  {words.useAsSample}
                </RefusableButton>
                <RefusableButton
                  size="small"
                  refusal={refusal ?? (whole.isComplete ? null : words.cut)}
                  onPress={() => onTest(whole)}
                >
                  {words.test}
                </RefusableButton>
              </div>
            )}
            <FailurePanel title={sampleWords.storeFailed} failure={sample.failure} />
            {!whole.isComplete && <Callout tone="warn">{words.cut}</Callout>}
            {whole.body === '' ? (
              <p className={styles.muted}>{words.noBody}</p>
            ) : (
              <>
                <h4>{kind === 'form' ? words.answers : words.body}</h4>
                <CodeBlock
                  label={kind === 'form' ? words.answers : words.body}
                  text={whole.payload === null ? whole.body : asJson(whole.payload)}
                  isWrapped
                />
              </>
            )}
            <h4>{words.headers}</h4>
            <CodeBlock
              label={words.headers}
              text={Object.entries(whole.headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join('\n')}
              isWrapped
            />
          </>
        )}
      </AskedPanel>
    </div>
  )
}
