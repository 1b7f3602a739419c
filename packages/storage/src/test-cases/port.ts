import type {
  OrganizationId,
  TestCaseId,
  WorkflowId,
  WorkflowRunId,
  WorkflowVersionId,
} from '@troupe/contract'
import type { WorkflowRunStatus } from '@troupe/workflows/ports'

/** The stored result of a step in a test case. */
export interface StoredMock {
  nodeId: string
  /** The frame: empty for the root, else `loop1[3]`. */
  path: string
  output: unknown
  /** The handles taken by the step. */
  handles: string[] | null
}

/** The expected end of a test. */
export interface StoredExpectation {
  status: 'completed' | 'failed' | 'loop_limit_reached' | 'policy_blocked'
  /** null: the output is not compared. */
  output: { kind: 'equals' | 'contains'; value: unknown } | null
}

/** A part of an output that differs from the expectation. */
export interface StoredDifference {
  path: string
  expected: string
  actual: string
}

/** The newest test of a case. */
export interface TestCaseResultRecord {
  runId: WorkflowRunId
  caseVersion: number
  draftRevision: number
  contentHash: string
  /** null: not read since the end of the run, or the run has not ended. */
  verdict: 'passed' | 'failed' | null
  differences: StoredDifference[]
  startedAt: Date
  /** null: the run is deleted. */
  runStatus: WorkflowRunStatus | null
}

/** A test case without its payload and mocks, which may be megabytes. */
export interface TestCaseSummary {
  id: TestCaseId
  organizationId: OrganizationId
  workflowId: WorkflowId
  name: string
  /** null: the first trigger that people can start. */
  triggerNodeId: string | null
  mocked: Pick<StoredMock, 'nodeId' | 'path'>[]
  secretNames: string[]
  /** The payload together with the values of named secrets; null if it contains none. */
  secretPayload: unknown
  expectation: StoredExpectation
  blocking: boolean
  version: number
  fromRunId: WorkflowRunId | null
  updatedAt: Date
  result: TestCaseResultRecord | null
}

/** The stored fields of a test case. */
export interface TestCaseRecord
  extends Omit<TestCaseSummary, 'mocked' | 'secretPayload' | 'result' | 'updatedAt'> {
  payload: unknown
  mocks: StoredMock[]
}

/** An ended test of a case without a verdict. */
export interface EndedCaseTest {
  testCaseId: TestCaseId
  runId: WorkflowRunId
  expectation: StoredExpectation
  versionId: WorkflowVersionId
  status: WorkflowRunStatus
  error: string | null
  /** The output of the run as JSON; null if it is larger than the requested limit. */
  output: string | null
  input: unknown
  secretNames: string[]
}

/** Test cases of workflows. Each method names the organization. */
export interface TestCaseReader {
  /** All cases of a workflow by name. */
  list(organizationId: OrganizationId, workflowId: WorkflowId): Promise<TestCaseSummary[]>
  /** A case of a workflow; null if it has none with this id. */
  byId(organizationId: OrganizationId, workflowId: WorkflowId, id: TestCaseId): Promise<TestCaseRecord | null>
  /** Ended tests without a verdict, with outputs of at most `bytes` each. */
  ended(organizationId: OrganizationId, workflowId: WorkflowId, bytes: number): Promise<EndedCaseTest[]>
  /**
   * The outputs of these steps in a run, in every frame, in the order of the run; null if they exceed `bytes` or
   * `count`.
   *
   * @param runId of a run of the organization, checked before
   */
  resultsOf(
    organizationId: OrganizationId,
    runId: WorkflowRunId,
    nodeIds: readonly string[],
    limits: { bytes: number; count: number },
  ): Promise<StoredMock[] | null>
}

/** The caller holds the lock of the workflow's row. */
export interface TestCaseWriter {
  insert(record: TestCaseRecord): Promise<void>
  /** Writes all fields but the organization, the workflow and the run that the case was made from. */
  update(record: TestCaseRecord): Promise<void>
  delete(organizationId: OrganizationId, id: TestCaseId): Promise<void>
  /** Records the newest test of a case, replacing the previous one. */
  noteTest(
    organizationId: OrganizationId,
    testCaseId: TestCaseId,
    test: Omit<TestCaseResultRecord, 'verdict' | 'differences' | 'runStatus'>,
  ): Promise<void>
  /** Writes a verdict, unless the case has a newer test or the test has a verdict. */
  settle(
    organizationId: OrganizationId,
    test: {
      testCaseId: TestCaseId
      runId: WorkflowRunId
      verdict: 'passed' | 'failed'
      differences: readonly StoredDifference[]
    },
  ): Promise<void>
}
