import type {
  AgentId,
  AgentVersionId,
  MemoryId,
  OrganizationId,
  ProjectId,
  RunId,
  TeamId,
  TeamVersionId,
} from '@troupe/contract'
import type { RunEnd, RunnableKind } from './run-store.ts'

/** The keeper and the user of memories. */
export interface MemoryKeeper {
  organizationId: OrganizationId
  projectId: ProjectId | null
  kind: RunnableKind
  entityId: AgentId | TeamId
  /** `project`: shared with all agents and teams of the project with the same setting. */
  scope: 'agent' | 'project'
  userId: string
}

/** A memory about a user. */
export interface KeptMemory {
  id: MemoryId
  text: string
}

/** What tools may do with the memories of the run's user. */
export interface MemoryOfUser {
  /** Memories that contain words of the query, best first. */
  search(query: string): Promise<KeptMemory[]>
  save(text: string): Promise<void>
  /** False if no memory has this id. */
  forget(id: MemoryId): Promise<boolean>
}

/** A change of the memories about a user. */
export interface MemoryChange {
  /** New texts with their fingerprints; a known fingerprint replaces the stored text and becomes the newest. */
  add: readonly { text: string; fingerprint: string }[]
  forget: readonly MemoryId[]
}

/** An ended run to extract memories about its user from, claimed for a while. */
export interface RunToLearnFrom {
  runId: RunId
  organizationId: OrganizationId
  projectId: ProjectId | null
  kind: RunnableKind
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

/** Port: memories about users, and the ended runs to learn from. */
export interface UserMemories {
  /** Newest first. */
  of(keeper: MemoryKeeper, limit: number): Promise<KeptMemory[]>
  /** Changes the memories, and drops the oldest above `max`. */
  change(keeper: MemoryKeeper, change: MemoryChange, max: number): Promise<void>
  /**
   * Claims a run to learn from; null if none is due. A claim without a result, because its process was killed, a call
   * failed or a budget is used up, expires: the run is due again with increasing delays, for one day.
   */
  claim(): Promise<RunToLearnFrom | null>
  /**
   * Ends the learning from a run with its result; null: no memories, or no longer wanted. False, with nothing written,
   * if the claim is void.
   */
  learned(
    run: RunToLearnFrom,
    result: { keeper: MemoryKeeper; change: MemoryChange; max: number } | null,
    usage: RunEnd['usage'],
  ): Promise<boolean>
}
