import type { RunnableKind } from '@troupe/agents/ports'
import type { AgentVersionId, TeamVersionId, WorkflowVersionId } from '@troupe/contract'
import type { WorkflowRunSource } from '@troupe/workflows/ports'
import type { ObservedKind, RunOverview } from './run-list.ts'
import type { ReadableTexts } from './run-trace.ts'

type Identity = Pick<RunOverview, 'runId' | 'entityId' | 'projectId' | 'status' | 'isTest'>

/** A root run without its texts. */
export interface RunHead extends Identity, Pick<RunOverview, 'source'> {
  kind: ObservedKind
  /** null for a workflow. */
  readable: ReadableTexts | null
}

/** The request that repeats a root run; its input is the original one. */
export type RepeatableRun = Identity &
  (
    | {
        kind: RunnableKind
        versionId: AgentVersionId | TeamVersionId
        /** null: erased or never stored. */
        input: string | null
        tag: string | null
      }
    | {
        kind: 'workflow'
        versionId: WorkflowVersionId
        source: WorkflowRunSource
        input: unknown
        firedNodeId: string | null
        /** Milliseconds since the epoch. */
        scheduledFor: number | null
      }
  )
