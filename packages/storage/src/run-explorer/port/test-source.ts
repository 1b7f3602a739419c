import type { WorkflowId, WorkflowVersionId } from '@troupe/contract'
import type { TestTerms, WorkflowRunSource, WorkflowRunStatus } from '@troupe/workflows/ports'

/** A step of a run in one frame, without its values. */
export interface SourceStep {
  nodeId: string
  path: string
  status: 'running' | 'waiting' | 'completed' | 'failed'
  handles: string[] | null
  /** Finished iterations of a Loop; 0 for every other step. */
  iterations: number
}

/** A run whose results a test may use. */
export interface TestSource {
  workflowId: WorkflowId
  versionId: WorkflowVersionId
  versionNumber: number | null
  status: WorkflowRunStatus
  source: WorkflowRunSource
  isTest: boolean
  firedNodeId: string | null
  input: unknown
  /** Set for a test: the names of secret fields of the runs that its own seeds came from. */
  secretNames: TestTerms['secretNames']
  traceErased: boolean
  /** Milliseconds since the epoch. */
  createdAt: number
  /** All steps in the requested frames, and the first 5,000 of the others. */
  steps: SourceStep[]
  /** All steps of the run in all frames. */
  stepCount: number
}

/** Average duration and cost of a step over the runs that executed it. */
export interface StepSample {
  nodeId: string
  runs: number
  /** null if no call had a price. */
  costMicros: number | null
  inputTokens: number
  outputTokens: number
  seconds: number
}
