import { and, asc, count, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { json, nullable, number, text } from '../sql/client/columns.ts'
import {
  workflowTestCases as cases,
  workflowTestResults as results,
} from '../tables/configuration/test-cases.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { expression } from '../tables/drizzle/expression.ts'
import { workflowNodeRuns as nodeRuns, workflowRuns as runs } from '../tables/runs/workflow-runs.ts'
import type {
  EndedCaseTest,
  StoredDifference,
  StoredExpectation,
  StoredMock,
  TestCaseReader,
  TestCaseSummary,
} from './port.ts'

/** The newest test of a case always is a run of kind `test`. */
const isItsRun = and(
  eq(runs.id, results.runId),
  eq(runs.organizationId, results.organizationId),
  sql`${runs.kind} = 'test'`,
)

export function testCaseReader(db: Drizzle): TestCaseReader {
  return {
    async list(organizationId, workflowId) {
      const rows = await db
        .select({
          id: cases.id,
          organizationId: cases.organizationId,
          workflowId: cases.workflowId,
          name: cases.name,
          triggerNodeId: cases.triggerNodeId,
          mocked: cases.mocked,
          secretNames: cases.secretNames,
          secretPayload: expression(
            nullable(json<unknown>()),
            sql`case when cardinality(${cases.secretNames}) > 0 then ${cases.payload} end`,
          ),
          expectation: cases.expectation,
          blocking: cases.blocking,
          version: cases.version,
          fromRunId: cases.fromRunId,
          updatedAt: cases.updatedAt,
          result: results,
          runStatus: runs.status,
        })
        .from(cases)
        .leftJoin(results, eq(results.testCaseId, cases.id))
        .leftJoin(runs, isItsRun)
        .where(and(eq(cases.organizationId, organizationId), eq(cases.workflowId, workflowId)))
        .orderBy(asc(cases.name), asc(cases.id))
      return rows.map(({ result, runStatus, ...row }): TestCaseSummary => {
        return {
          ...row,
          mocked: row.mocked as StoredMock[],
          expectation: row.expectation as StoredExpectation,
          result: result && {
            ...result,
            differences: result.differences as StoredDifference[],
            runStatus: runStatus as EndedCaseTest['status'] | null,
          },
        }
      })
    },
    async byId(organizationId, workflowId, id) {
      const [row] = await db
        .select()
        .from(cases)
        .where(
          and(eq(cases.organizationId, organizationId), eq(cases.workflowId, workflowId), eq(cases.id, id)),
        )
      if (!row) return null
      const { mocked: _, createdAt: _at, updatedAt: _changed, ...record } = row
      return {
        ...record,
        mocks: record.mocks as StoredMock[],
        expectation: record.expectation as StoredExpectation,
      }
    },
    async ended(organizationId, workflowId, bytes) {
      const rows = await db
        .select({
          testCaseId: cases.id,
          runId: results.runId,
          expectation: cases.expectation,
          versionId: runs.versionId,
          status: runs.status,
          error: runs.error,
          output: expression(
            nullable(text()),
            sql`case when coalesce(octet_length(${runs.output}::text), 0) <= ${bytes}::int then coalesce(${runs.output}::text, 'null') end`,
          ),
          input: expression(
            nullable(json<unknown>()),
            sql`case when cardinality(${cases.secretNames}) > 0 then ${runs.input} end`,
          ),
          secretNames: cases.secretNames,
        })
        .from(cases)
        .innerJoin(results, eq(results.testCaseId, cases.id))
        .innerJoin(runs, isItsRun)
        .where(
          and(
            eq(cases.organizationId, organizationId),
            eq(cases.workflowId, workflowId),
            isNull(results.verdict),
            isNotNull(runs.completedAt),
          ),
        )
      return rows.map(
        (row) => ({ ...row, expectation: row.expectation as StoredExpectation }) as EndedCaseTest,
      )
    },
    async resultsOf(organizationId, runId, nodeIds, limits) {
      if (nodeIds.length === 0) return []
      const where = and(
        eq(nodeRuns.runId, runId),
        eq(nodeRuns.organizationId, organizationId),
        eq(nodeRuns.status, 'completed'),
        inArray(nodeRuns.nodeId, [...nodeIds]),
      )
      const [size] = await db
        .select({
          rows: count(),
          bytes: expression(number(), sql`coalesce(sum(octet_length(${nodeRuns.output}::text)), 0)::float8`),
        })
        .from(nodeRuns)
        .where(where)
      if (size && (size.rows > limits.count || size.bytes > limits.bytes)) return null
      const { nodeId, path, output, handles, seq } = nodeRuns
      return db
        .select({ nodeId, path, output, handles })
        .from(nodeRuns)
        .where(where)
        .orderBy(asc(seq), asc(path), asc(nodeId))
    },
  }
}
