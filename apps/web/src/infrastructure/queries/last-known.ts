import type { IdText, OrganizationId } from '@troupe/contract'
import { useContext, useEffect, useMemo, useState } from 'react'
import type { AnyInput, OperationName } from '../client/operation-types.ts'
import { SignedInContext } from '../sign-in/session.ts'
import { type KnownAnswer, keepKnown, readKnown } from '../storage/known-answers.ts'

/**
 * Lists of configuration whose cached response is shown while the next one loads. Never the contents of runs, and no single
 * configuration: an editor would start from an outdated version.
 */
const KEPT: ReadonlySet<OperationName> = new Set([
  'listAgents',
  'listTeams',
  'listKnowledgeBases',
  'listSkills',
  'listMcpServers',
])

/** The last response of a query in this browser. */
export interface LastKnown {
  /** null until it is read, and without one of the last 24 hours. */
  answer: KnownAnswer | null
  keep(data: unknown): void
}

/**
 * The cached response of a query, for the signed-in user and the organization of the page.
 *
 * @param isWanted false if there is a response already
 */
export function useLastKnown(
  name: OperationName,
  organizationId: IdText<OrganizationId> | null,
  input: AnyInput,
  isWanted: boolean,
): LastKnown {
  const userId = useContext(SignedInContext)?.person.userId ?? null
  // Each letter of a search would be a separate query.
  const isKept = KEPT.has(name) && !input.query?.q
  const question = isKept ? JSON.stringify([name, input.params ?? {}, input.query ?? {}]) : null
  const place = useMemo(
    () => (userId && organizationId && question ? { userId, organizationId, question } : null),
    [userId, organizationId, question],
  )
  const [read, setRead] = useState<{ place: typeof place; answer: KnownAnswer | null } | null>(null)
  useEffect(() => {
    if (place === null || !isWanted) return
    let isCurrent = true
    void readKnown(place).then((answer) => isCurrent && setRead({ place, answer }))
    return () => {
      isCurrent = false
    }
  }, [place, isWanted])
  return {
    answer: read !== null && read.place === place ? read.answer : null,
    keep: (data) => {
      if (place) void keepKnown(place, data)
    },
  }
}
