import type { RunnableKind } from '@troupe/agents/ports'
import type {
  AgentId,
  AgentVersionId,
  RunId,
  TeamId,
  TeamVersionId,
  WorkflowId,
  WorkflowRunId,
  WorkflowVersionId,
} from '@troupe/contract'
import type { WorkflowRunSource } from '@troupe/workflows/ports'
import type { RunOverview } from './run-list.ts'
import type { ReadableTexts } from './run-trace.ts'

type Shared = Pick<RunOverview, 'projectId' | 'status' | 'isTest'>

/** The ids of a run and of the agent or team that ran. */
interface RunnableIdentity {
  kind: RunnableKind
  runId: RunId
  entityId: AgentId | TeamId
}

/** The ids of a run and of its workflow. */
interface WorkflowIdentity {
  kind: 'workflow'
  runId: WorkflowRunId
  entityId: WorkflowId
}

/** A root run without its texts. */
export type RunHead = Shared &
  Pick<RunOverview, 'source'> &
  (RunnableIdentity | WorkflowIdentity) & {
    /** null for a workflow. */
    readable: ReadableTexts | null
  }

/** The request that repeats a root run; its input is the original one. */
export type RepeatableRun = Shared &
  (
    | (RunnableIdentity & {
        versionId: AgentVersionId | TeamVersionId
        /** null: erased or never stored. */
        input: string | null
        tag: string | null
      })
    | (WorkflowIdentity & {
        versionId: WorkflowVersionId
        source: WorkflowRunSource
        input: unknown
        firedNodeId: string | null
        /** Milliseconds since the epoch. */
        scheduledFor: number | null
      })
  )
