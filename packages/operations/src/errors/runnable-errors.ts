import type { RunnableKind } from '@troupe/agents/ports'
import { DomainError } from '@troupe/contract'

const TITLES: Record<RunnableKind, string> = { agent: 'Agent', team: 'Team' }

/** Also for malformed ids and for runnables of other organizations: all look the same. */
export function runnableNotFound(kind: RunnableKind): DomainError {
  return new DomainError(`${kind}_not_found`, `${TITLES[kind]} not found in this organization.`)
}

export function runnableForbidden(kind: RunnableKind): DomainError {
  return new DomainError('forbidden', `The ${kind} does not belong to the project of this API key.`)
}
