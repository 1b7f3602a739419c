import type { OrganizationId, WorkflowId } from '@troupe/contract'
import type { Database, EndedCaseTest } from '@troupe/storage'
import { traceSecretsOf } from '@troupe/workflows'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'
import { type CaseVerdict, verdictOf } from './verdict-of.ts'

/** Dependencies of verdicts. */
export interface SettleParts {
  database: Pick<Database, 'read' | 'transaction'>
  graphs: Pick<WorkflowGraphs, 'compiled'>
}

/** Maximum bytes of compared outputs. */
const MOST_BYTES = 1024 * 1024

/**
 * Writes the verdicts on tests of a workflow that have ended since the last read. Of two concurrent requests only one
 * writes, and both compute the same verdicts.
 */
export async function settleTestCases(
  { database, graphs }: SettleParts,
  organizationId: OrganizationId,
  workflowId: WorkflowId,
): Promise<void> {
  const ended = await database.read.testCases.ended(organizationId, workflowId, MOST_BYTES)
  if (ended.length === 0) return
  const verdicts: (CaseVerdict & Pick<EndedCaseTest, 'testCaseId' | 'runId'>)[] = []
  for (const test of ended) {
    const graph = await graphs.compiled(organizationId, test.versionId)
    const secrets = traceSecretsOf(graph, test.input, test.secretNames)
    verdicts.push({ testCaseId: test.testCaseId, runId: test.runId, ...verdictOf(test, secrets) })
  }
  await database.transaction(async ({ write }) => {
    for (const verdict of verdicts) await write.testCases.settle(organizationId, verdict)
  })
}
