import { AgentId, newId, OrganizationId, RunId, type StreamEvent } from '@troupe/contract'
import { expect, test } from 'vitest'
import type { RunRecord, StoredEvent } from '../ports/run-store.ts'
import { followRun } from './follow.ts'

const runId = newId(RunId)
const agentId = newId(AgentId)

function row(seq: number, event: string, data: Record<string, unknown> = {}): StoredEvent {
  return { seqFrom: seq, seq, event, data: { runId, createdAt: 1, ...data }, cuts: null }
}
const STARTED = row(1, 'RunStarted', { agentName: 'Ada' })

/** The events that a reader gets of a finished run with this log and row. */
async function follow(log: StoredEvent[], record: Partial<RunRecord>, after: number): Promise<StreamEvent[]> {
  const row = {
    runId,
    kind: 'agent' as const,
    entityId: agentId,
    sessionId: 's',
    createdAt: 1_000,
    completedAt: 2_000,
    messages: [],
    ...record,
  }
  const deps = {
    store: {
      eventsAfter: async (_: RunId, seq: number) => log.filter((one) => one.seq > seq),
      find: async () => row as unknown as RunRecord,
    },
    signals: {
      publish: async () => {},
      subscribe: () => () => {},
      [Symbol.asyncDispose]: async () => {},
    },
    now: () => Date.now(),
  }
  const run = {
    scope: { organizationId: newId(OrganizationId), projectId: null },
    target: { kind: 'agent' as const, entityId: agentId, runId, isPlayground: false },
  }
  const events: StreamEvent[] = []
  for await (const event of followRun(deps, run, after, new AbortController().signal)) events.push(event)
  return events
}

test('a reader that reconnects after the end of an answered run gets no more events', async () => {
  const log = [STARTED, row(2, 'RunCompleted', { result: {} })]
  expect(await follow(log, { status: 'completed' }, 2)).toEqual([])
  expect(await follow(log, { status: 'completed' }, 1)).toMatchObject([{ event: 'RunCompleted', seq: 2 }])
})

test('a reader that claims events beyond the end gets the end again, for any number', async () => {
  const log = [STARTED, row(2, 'RunCompleted', { result: {} })]
  const [end, ...more] = await follow(log, { status: 'completed' }, Number.MAX_SAFE_INTEGER)
  expect(end).toMatchObject({ event: 'RunCompleted' })
  expect(more).toEqual([])
})

test('a reader that saw more of a lost run than was written gets its end', async () => {
  const log = [STARTED, row(2, 'RunError', { error: 'upstream_error', message: 'Lost.' })]
  for (const after of [2, 5]) {
    expect(await follow(log, { status: 'failed' }, after)).toMatchObject([
      { event: 'RunError', seq: after + 1 },
    ])
  }
})

test('an answered run whose texts were erased ends as completed', async () => {
  const record = { status: 'completed', success: true, content: null } as const
  expect(await follow([STARTED], record, 0)).toMatchObject([
    { event: 'RunStarted' },
    { event: 'RunCompleted', seq: 2, result: { agentName: 'Ada', content: '', success: true } },
  ])
})
