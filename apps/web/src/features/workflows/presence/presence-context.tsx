import type { IdText, WorkflowId } from '@troupe/contract'
import type { PresentTab } from '@troupe/contract/builder'
import { isSameJson } from '@troupe/editor/values/json-path'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { optionalParam } from '../../../core/url/search-params.ts'
import { type PresentPerson, peopleBySteps, presentPeople } from '../../../core/workflows/present-people.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { randomId } from '../../../infrastructure/client/random-id.ts'
import { isOtherPersons, signedOut } from '../../../infrastructure/client/server-signals.ts'
import { useChanges } from '../../../infrastructure/events/use-changes.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'

const PARAMS = { node: optionalParam }
/** The server drops a tab after 45 seconds without a request; without a response for as long, this tab drops the others. */
const PRESENT_MS = 45_000
const REPEAT_MS = 15_000
/** Changes are batched for this time: steps passed by arrow keys are not sent, and the moves of 30 users cause one request. */
const REST_MS = 600

interface Presence {
  people: readonly PresentPerson[]
  byStep: ReadonlyMap<string, readonly PresentPerson[]>
}
const PresenceContext = createContext<Presence>({ people: [], byStep: new Map() })

/** Other users who have the same workflow open; empty outside a workflow. */
export const usePresence = (): Presence => useContext(PresenceContext)

/**
 * Sends the workflow and step open in this tab, and receives those of other tabs. A failed request is repeated with the next interval, and
 * nothing waits for it.
 */
export function PresenceProvider({
  workflowId,
  children,
}: {
  workflowId: IdText<WorkflowId>
  children: ReactNode
}) {
  const { membership, session } = usePlace()
  const { organizationId } = membership
  const [{ node }] = useSearchParams(PARAMS)
  const [tabs, setTabs] = useState<readonly PresentTab[]>([])
  const [tabId] = useState(randomId)
  const step = useRef(node)
  step.current = node
  const shareSoon = useRef((): void => undefined)
  useEffect(() => {
    let resting: ReturnType<typeof setTimeout> | undefined
    let answeredAt = Date.now()
    let isOpen = true
    const share = () => {
      clearTimeout(resting)
      resting = undefined
      if (Date.now() - answeredAt > PRESENT_MS) setTabs([])
      if (document.visibilityState === 'hidden' || cannotSend()) return
      const body = { tabId, nodeId: step.current }
      callOperation('sharePresence', organizationId, { params: { workflowId }, body }).then(
        ({ data }) => {
          if (!isOpen) return
          answeredAt = Date.now()
          // An equal response rerenders no step.
          setTabs((former) => (isSameJson(former, data) ? former : data))
        },
        () => undefined,
      )
    }
    shareSoon.current = () => {
      resting ??= setTimeout(share, REST_MS)
    }
    const leave = () => {
      if (cannotSend()) return
      const body = { tabId, isLeaving: true }
      const settings = { keepalive: true }
      callOperation('sharePresence', organizationId, { params: { workflowId }, body }, settings).catch(
        () => undefined,
      )
    }
    const repeating = setInterval(share, REPEAT_MS)
    const onShow = () => shareSoon.current()
    document.addEventListener('visibilitychange', onShow)
    addEventListener('online', onShow)
    addEventListener('pagehide', leave)
    // Also for a page restored from the browser's cache by Back.
    addEventListener('pageshow', onShow)
    return () => {
      isOpen = false
      clearTimeout(resting)
      clearInterval(repeating)
      document.removeEventListener('visibilitychange', onShow)
      removeEventListener('online', onShow)
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', onShow)
      setTabs([])
      leave()
    }
  }, [organizationId, workflowId, tabId])
  useChanges([`presence:${workflowId}`], () => shareSoon.current())
  // biome-ignore lint/correctness/useExhaustiveDependencies: shares a change of the selected step
  useEffect(() => shareSoon.current(), [node])
  const { userId } = session.person
  const presence = useMemo(() => {
    const people = presentPeople(tabs, { tabId, userId })
    return { people, byStep: peopleBySteps(people) }
  }, [tabs, tabId, userId])
  return <PresenceContext value={presence}>{children}</PresenceContext>
}

/** Whether a request would fail, or would name another user. */
const cannotSend = () => !navigator.onLine || signedOut.get() || isOtherPersons()
