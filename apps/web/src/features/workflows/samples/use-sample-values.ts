import { isJsonObject, type JsonObject } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { SyncStatus } from '@troupe/editor/sync/sync-state'
import type { GraphNode } from '@troupe/graph'
import { sampleFields, samplePayload, withSamples } from '@troupe/nodes/sample-payload'
import { useMemo } from 'react'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { sampleWords as words } from '../../../core/messages/en/workflows/samples.ts'
import type { CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import { useSamples } from '../../../parts/trigger-samples/use-samples.ts'
import type { DraftSession } from '../editing/draft-session.ts'
import { useDraftSession } from '../editing/use-draft-session.ts'

/** `blocked`: an unsaved draft has to be saved first, and cannot be. `failed`: see `failure`. */
type StoreOutcome = 'stored' | 'blocked' | 'failed'

/** The sample values of a trigger with fields. */
interface ValuesOfTrigger {
  /** By the names of the fields; generated values where none is stored. */
  values: JsonObject
  /** Their source: stored beside the draft, the settings of the trigger, or the names and types of its fields. */
  of: 'draft' | 'settings' | 'names'
  store(values: JsonObject): Promise<StoreOutcome>
  /** The same for a press elsewhere, with a notice. @param done its title once the values are stored */
  take(values: JsonObject, done: string): Promise<StoreOutcome>
  /** Returns to generated values. */
  remove(): Promise<boolean>
  isPending: boolean
  failure: CallFailure | null
  /** Whether the draft has to be saved first, and cannot be now: it has a conflict, or the server is unreachable. */
  isBlocked: boolean
}

/** Reads and stores the sample values of a trigger. They are kept beside the draft: no version and no bundle has them. */
export function useSampleValues(workflow: BuilderWorkflow, node: GraphNode): ValuesOfTrigger {
  const { workflowId } = workflow
  const session = useDraftSession(workflow)
  const samples = useSamples(workflowId)
  const set = useChange('setPin', { refreshes: ['listPins', 'listListeners', 'getWebhook'] })
  const clear = useChange('removePin', { refreshes: ['listPins', 'listListeners', 'getWebhook'] })
  const values = useMemo(() => {
    const [sampled = node] = withSamples([node], samples)
    const payload = samplePayload(sampled)
    const body = node.type === 'form-trigger' && isJsonObject(payload) ? payload.body : payload
    return isJsonObject(body) ? storable(node, body) : {}
  }, [node, samples])
  const params = { workflowId, nodeId: node.id }
  const store = (next: JsonObject): Promise<StoreOutcome> =>
    inOrder(session, async () => {
      // An unsaved trigger is not in the server's draft yet.
      if ((await session.settled()) !== 'saved') return 'blocked'
      const stored = await set.run({ params, body: { output: storable(node, next) } })
      return stored === null ? 'failed' : 'stored'
    })
  return {
    values,
    of: samples.has(node.id) ? 'draft' : isJsonObject(node.config.sample) ? 'settings' : 'names',
    store,
    take: async (next, done) => {
      const outcome = await store(next)
      if (outcome === 'stored') showNotice({ title: done })
      if (outcome === 'blocked')
        showNotice({ tone: 'bad', title: words.storeFailed, detail: words.unsavedDraft })
      return outcome
    },
    remove: () => inOrder(session, async () => (await clear.run({ params })) !== null),
    isPending: set.isPending || clear.isPending,
    failure: set.failure ?? clear.failure,
    isBlocked: !UNDER_WAY.includes(session.status),
  }
}

/** The last write of sample values of each draft, from any component. */
const lastWrites = new WeakMap<DraftSession, Promise<unknown>>()

/** Starts a write after the one before it: a removal that overtook a save would let the saved values return. */
function inOrder<Outcome>(session: DraftSession, write: () => Promise<Outcome>): Promise<Outcome> {
  const written = (lastWrites.get(session) ?? Promise.resolve()).then(write)
  lastWrites.set(
    session,
    written.catch(() => undefined),
  )
  return written
}

/** States of a draft that end with a save by themselves. */
const UNDER_WAY: readonly SyncStatus[] = ['saved', 'unsaved', 'saving']

/** The values that a sample may have: a form accepts only answers to its questions, and no password. */
function storable(node: GraphNode, values: JsonObject): JsonObject {
  if (node.type !== 'form-trigger') return values
  const names = new Set(sampleFields(node).map(({ name }) => name))
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)))
}
