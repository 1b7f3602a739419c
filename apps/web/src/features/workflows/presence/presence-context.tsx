import type { PresentTab } from '@troupe/contract/builder'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { optionalParam } from '../../../core/url/search-params.ts'
import { type PresentPerson, presentPeople } from '../../../core/workflows/present-people.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { randomId } from '../../../infrastructure/client/random-id.ts'
import { useChanges } from '../../../infrastructure/events/use-changes.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'

const PARAMS = { node: optionalParam }
/** A tab counts for 45 seconds on the server. */
const REPEAT_MS = 15_000
/** Steps that are passed by the arrow keys are not told. */
const REST_MS = 600

const PresenceContext = createContext<readonly PresentPerson[]>([])

/** Others who show the same workflow; empty outside of one. */
export const usePresence = (): readonly PresentPerson[] => useContext(PresenceContext)

/**
 * Tells the server that this tab shows a workflow, and which step is open, and hears who else does. A courtesy: what fails is tried again
 * with the next repetition, and nothing waits for it.
 */
export function PresenceProvider({ workflowId, children }: { workflowId: string; children: ReactNode }) {
  const { membership, session } = usePlace()
  const { organizationId } = membership
  const [{ node }] = useSearchParams(PARAMS)
  const [tabs, setTabs] = useState<readonly PresentTab[]>([])
  const [tabId] = useState(randomId)
  const share = useRef<() => void>(() => undefined)
  share.current = () => {
    if (document.visibilityState === 'hidden') return
    const body = { tabId, nodeId: node }
    callOperation('sharePresence', organizationId, { params: { workflowId }, body }).then(
      ({ data }) => setTabs(data),
      () => undefined,
    )
  }
  useChanges([`presence:${workflowId}`], () => share.current())
  // biome-ignore lint/correctness/useExhaustiveDependencies: another step is told after a rest
  useEffect(() => {
    const timer = setTimeout(() => share.current(), REST_MS)
    return () => clearTimeout(timer)
  }, [node])
  useEffect(() => {
    const timer = setInterval(() => share.current(), REPEAT_MS)
    const onVisible = () => share.current()
    const leave = () => {
      const body = { tabId, isLeaving: true }
      callOperation('sharePresence', organizationId, { params: { workflowId }, body }).catch(() => undefined)
    }
    document.addEventListener('visibilitychange', onVisible)
    addEventListener('pagehide', leave)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisible)
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [organizationId, workflowId, tabId])
  const { userId } = session.person
  const people = useMemo(() => presentPeople(tabs, { tabId, userId }), [tabs, tabId, userId])
  return <PresenceContext value={people}>{children}</PresenceContext>
}
