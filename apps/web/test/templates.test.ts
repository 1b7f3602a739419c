import { propertyOf } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TEMPLATES } from '../src/core/workflows/templates/gallery.ts'
import { Maker } from './one-of-each/maker.ts'

let server: TestServer
let maker: Maker
beforeAll(async () => {
  server = await startTestServer()
  maker = new Maker(server, server.seed.organizationId)
})
afterAll(() => server[Symbol.asyncDispose]())

/** Where the test of a template ends; the models of the test server are the sandbox (packages/models/src/sandbox). */
const ENDS: Readonly<Record<string, string>> = {
  'support-triage': 'completed',
  'document-intake': 'awaiting_approval',
  'approval-chain': 'completed',
  'clean-up': 'completed',
  'nightly-report': 'completed',
  'until-good': 'completed',
}

test.each(TEMPLATES)('$name can be published as it is, and its test runs', async ({
  id,
  name,
  graph,
  payload,
}) => {
  const made = await maker.ask('createWorkflow', {}, { name, draft: { ...graph } })
  const workflowId = String(propertyOf(made, 'workflowId'))
  const draftRevision = propertyOf(made, 'draftRevision')
  const started = await maker.ask(
    'startTestRun',
    { workflowId },
    {
      draftRevision,
      scope: { kind: 'all' },
      payload,
      ...(id === 'nightly-report' ? { triggerNodeId: 'by-hand' } : {}),
    },
  )
  const runId = String(propertyOf(started, 'executionId'))
  const statusOf = async () => propertyOf(await maker.ask('getRun', { runId }), 'status')
  await expect.poll(statusOf, { timeout: 15_000 }).toBe(ENDS[id])
  await maker.ask('publishWorkflow', { workflowId }, { draftRevision })
})
