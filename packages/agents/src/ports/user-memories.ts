import type {
  AgentId,
  AgentVersionId,
  OrganizationId,
  ProjectId,
  RunId,
  TeamId,
  TeamVersionId,
} from '@troupe/contract'
import type { RunEnd, RunKind } from './run-store.ts'

/** Who keeps memories about which user. */
export interface MemoryKeeper {
  organizationId: OrganizationId
  projectId: ProjectId | null
  kind: RunKind
  entityId: AgentId | TeamId
  /** `project`: shared with all agents and teams of the project that say so too. */
  scope: 'agent' | 'project'
  userId: string
}

/** Something that is kept about a user. */
export interface KeptMemory {
  id: string
  text: string
}

/** What tools may do with the memories of the run's user. */
export interface MemoryOfUser {
  /** Those with words of the query, best first. */
  search(query: string): Promise<KeptMemory[]>
  save(text: string): Promise<void>
  /** False when nothing has this id. */
  forget(id: string): Promise<boolean>
}

/** A change of what is kept about a user. */
export interface MemoryChange {
  /** New texts with their fingerprints; a known fingerprint replaces the stored text and becomes the newest. */
  add: readonly { text: string; fingerprint: string }[]
  /** Ids. */
  forget: readonly string[]
}

/** An ended run that may tell something about its user, claimed for a while. */
export interface RunToLearnFrom {
  runId: RunId
  organizationId: OrganizationId
  projectId: ProjectId | null
  kind: RunKind
  entityId: AgentId | TeamId
  entityVersionId: AgentVersionId | TeamVersionId
  pins: Readonly<Record<AgentId, AgentVersionId>> | null
  userId: string
  tag: string | null
  input: string
  content: string
  /** The claim: void once another process has the run, or the user was forgotten. */
  claim: string
}

/** Port: what is kept about users, and the ended runs to learn from. */
export interface UserMemories {
  /** Newest first. */
  of(keeper: MemoryKeeper, limit: number): Promise<KeptMemory[]>
  /** Changes what is kept, and drops the oldest above `max`. */
  change(keeper: MemoryKeeper, change: MemoryChange, max: number): Promise<void>
  /**
   * Claims a run to learn from; null when none is due. A claim that ends nothing, because its process was killed, a call
   * failed or a budget is used up, expires: the run is due again, each time later, for one day.
   */
  claim(): Promise<RunToLearnFrom | null>
  /**
   * Ends the learning from a run with what was learnt; null: nothing, or no longer wanted. False, with nothing written,
   * when the claim is void.
   */
  learned(
    run: RunToLearnFrom,
    result: { keeper: MemoryKeeper; change: MemoryChange; max: number } | null,
    usage: RunEnd['usage'],
  ): Promise<boolean>
}
