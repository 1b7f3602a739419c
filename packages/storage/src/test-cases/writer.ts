import { and, eq, isNull, sql } from 'drizzle-orm'
import {
  workflowTestCases as cases,
  workflowTestResults as results,
} from '../tables/configuration/test-cases.ts'
import type { WriteContext } from '../tables/drizzle/write-context.ts'
import type { StoredMock, TestCaseWriter } from './port.ts'

/** The columns of mocks that lists read. */
const mockedOf = (mocks: readonly StoredMock[]) => mocks.map(({ nodeId, path }) => ({ nodeId, path }))

export function testCaseWriter({ db }: WriteContext): TestCaseWriter {
  return {
    async insert(record) {
      await db.insert(cases).values({ ...record, mocked: mockedOf(record.mocks) })
    },
    async update({ id, organizationId, workflowId: _workflow, fromRunId: _run, ...record }) {
      await db
        .update(cases)
        .set({ ...record, mocked: mockedOf(record.mocks), updatedAt: sql`now()` })
        .where(and(eq(cases.organizationId, organizationId), eq(cases.id, id)))
    },
    async delete(organizationId, id) {
      await db.delete(cases).where(and(eq(cases.organizationId, organizationId), eq(cases.id, id)))
    },
    async noteTest(organizationId, testCaseId, test) {
      const row = { ...test, organizationId, verdict: null, differences: [] }
      // The case may have been deleted in the meantime; then there is no row for the test to belong to.
      const [known] = await db
        .select({ id: cases.id })
        .from(cases)
        .where(and(eq(cases.organizationId, organizationId), eq(cases.id, testCaseId)))
        .for('key share')
      if (!known) return
      await db
        .insert(results)
        .values({ ...row, testCaseId })
        .onConflictDoUpdate({ target: results.testCaseId, set: row })
    },
    async settle(organizationId, { testCaseId, runId, verdict, differences }) {
      await db
        .update(results)
        .set({ verdict, differences })
        .where(
          and(
            eq(results.organizationId, organizationId),
            eq(results.testCaseId, testCaseId),
            eq(results.runId, runId),
            isNull(results.verdict),
          ),
        )
    },
  }
}
