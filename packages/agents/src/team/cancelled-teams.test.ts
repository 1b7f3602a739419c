import type { StreamEvent } from '@troupe/contract'
import { expect, test } from 'vitest'
import { Runner } from '../runner/runner.ts'
import { SCRIPTED_TEAMS, type ScriptedTeam } from '../runner/testing/team-scripts.ts'
import { answerOf, RunKit } from '../testing/run-kit.ts'
import type { ScriptStep } from '../testing/scripted-model.ts'

const agents = ['Ada', 'Ben', 'Cy'].map((name) => ({ name }))

/** A run that is cancelled while its model call with this number hangs, with half of a text written. */
async function cancelAt({ team, script }: ScriptedTeam, at: number) {
  const done = new Set<string>()
  let calls = 0
  let hung = false
  const signals: AbortSignal[] = []
  await using kit = new RunKit({
    agents,
    team,
    respond(call) {
      if (call.options.abortSignal) signals.push(call.options.abortSignal)
      const { key, reply } = script(call, done)
      done.add(key)
      calls += 1
      if (calls <= at) return reply
      hung = true
      const text: ScriptStep[] = call.forced === null ? [{ text: 'Half' }] : []
      return [...text, { hang: true }]
    },
  })
  const deps = kit.process()
  const events: StreamEvent[] = []
  const started = await new Runner(deps).stream(kit.request({ source: 'api_stream' }), (event) =>
    events.push(event),
  )
  if (started.kind !== 'accepted') throw new Error('not accepted')
  await expect.poll(() => hung, { interval: 1 }).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 1))
  const before = calls
  deps.active.abort(started.runId, 'cancel')
  await started.run.executed
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect(calls).toBe(before)
  expect(signals.at(-1)?.aborted).toBe(true)
  const run = kit.store.run(started.runId)
  expect(run.end).toMatchObject({ status: 'cancelled', success: false, stopReason: 'cancel' })
  expect(events.at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'user', content: answerOf(events) })
  expect(run.end?.content ?? '').toBe(answerOf(events))
  for (const { status, messages } of run.members.values()) {
    expect(['completed', 'failed', 'cancelled']).toContain(status)
    const asked = messages.flatMap(({ toolCalls }) => toolCalls?.map(({ id }) => id) ?? [])
    expect(messages.flatMap(({ toolCallId }) => (toolCallId ? [toolCallId] : []))).toEqual(asked)
  }
  const asked = run.end?.messages.flatMap(({ toolCalls }) => toolCalls?.map(({ id }) => id) ?? [])
  expect(run.end?.messages.flatMap(({ toolCallId }) => (toolCallId ? [toolCallId] : []))).toEqual(asked)
}

test.each(
  Object.entries(SCRIPTED_TEAMS),
)('%s: a cancel in any phase stops everything and keeps the written text', async (_, scripted) => {
  for (let at = 0; at < scripted.calls; at += 1) await cancelAt(scripted, at)
})

test.each(
  Object.entries(SCRIPTED_TEAMS),
)('%s: the run after a cancelled one has nothing of it', async (_, scripted) => {
  let disturbed = true
  const done = new Set<string>()
  await using kit = new RunKit({
    agents,
    team: scripted.team,
    respond(call) {
      if (disturbed) return { hang: true }
      const { key, reply } = scripted.script(call, done)
      done.add(key)
      return reply
    },
  })
  const deps = kit.process()
  const runner = new Runner(deps)
  const first = runner.run(kit.request()).catch((error) => error)
  await expect.poll(() => deps.active.size, { interval: 1 }).toBe(1)
  for (const runId of deps.active.runIds()) deps.active.abort(runId, 'cancel')
  expect(await first).toMatchObject({ code: 'run_cancelled' })
  disturbed = false
  expect(await runner.run(kit.request())).toMatchObject({
    content: scripted.content,
    // One member of each script fails.
    metrics: { inputTokens: 10 * (scripted.calls - 1) },
  })
})
