import { checkedId, OrganizationId, WorkflowId, WorkflowRunId, WorkflowVersionId } from '@troupe/contract'
import { expect, test } from 'vitest'
import type { BuilderCaller } from '../access/builder-caller.ts'
import type { PlanTestParts, PreparedTestRun } from './prepare-test.ts'
import { presentPlan } from './present-plan.ts'

const ID = '00000000-0000-4000-8000-000000000000'
const CALLER: BuilderCaller = {
  organizationId: checkedId(OrganizationId, ID),
  projectId: null,
  role: 'member',
  userId: null,
  actor: { kind: 'system', id: null, ip: null, requestId: null },
}

/** A plan without a graph, for which nothing is read, from a run with that many steps. */
function plannedFrom(stepCount: number, traceErased = false): PreparedTestRun {
  const step = { nodeId: 'a', path: '', status: 'completed', handles: ['out'], iterations: 0 } as const
  return {
    workflowId: checkedId(WorkflowId, ID),
    graph: null,
    scope: { kind: 'all', nodeId: null, path: null },
    plan: {
      ...{ triggerId: null, fault: null, runs: [], recomputed: [], seeded: [], missing: [], unreached: [] },
      ...{ forced: [], effects: [], uses: [] },
    },
    seeds: [],
    findings: [],
    source: {
      runId: checkedId(WorkflowRunId, ID),
      workflowId: checkedId(WorkflowId, ID),
      versionId: checkedId(WorkflowVersionId, ID),
      versionNumber: 1,
      status: 'completed',
      source: 'builder',
      isTest: false,
      firedNodeId: null,
      input: null,
      secretNames: [],
      traceErased,
      createdAt: 0,
      steps: [{ ...step, handles: [...step.handles] }],
      stepCount,
    },
    payload: {},
    effects: false,
    secretNames: [],
  }
}

async function goneOf(prepared: PreparedTestRun): Promise<string | null | undefined> {
  return (await presentPlan({} as PlanTestParts, CALLER, prepared, 1)).source?.gone
}

test('a plan reports that only a part of a long run was examined, and that retention has erased one', async () => {
  expect(await goneOf(plannedFrom(1))).toBeNull()
  expect(await goneOf(plannedFrom(12_000))).toContain('12000 steps, of which 1 were examined')
  expect(await goneOf(plannedFrom(12_000, true))).toContain('Retention has erased')
})
