import type { AddressInfo } from 'node:net'
import { type AgentJob, type AgentRunResult, checkedId, RunId, type StreamEvent } from '@troupe/contract'
import { expect } from 'vitest'
import { readEvents } from '../runs/event-reader.ts'
import { type RunSetting, startRunSetting } from '../runs/model-agent.ts'

/** A server whose agents have tools, with every way to run them. */
export interface ToolSetting extends RunSetting {
  /** Runs the agent synchronously; fails unless it answers. */
  answer(agentId: string, message: string, body?: object): Promise<AgentRunResult>
  /** Every event of a streaming run. */
  events(agentId: string, message: string): Promise<StreamEvent[]>
  /** The stored events of a run so far. */
  log(runId: string): Promise<{ event: string }[]>
  /** Starts a job; its id. */
  enqueue(agentId: string, message: string): Promise<string>
  /** The job once it has ended. */
  ended(jobId: string): Promise<AgentJob>
  /** A scripted call of one tool. */
  calls(name: string, args: object): { toolCalls: { name: string; arguments: object }[] }
  /** The result of a tool's call in the latest request to the model. */
  lastResult(): string
}

export async function startToolSetting(
  options: Parameters<typeof startRunSetting>[0] = {},
): Promise<ToolSetting> {
  const setting = await startRunSetting(options)
  const { server, model } = setting
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  const key = server.seed.keys.organization
  return {
    ...setting,
    async answer(agentId, message, body = {}) {
      const { status, body: result } = await setting.run(agentId, { message, ...body })
      expect([status, result]).toEqual([200, expect.anything()])
      return result as AgentRunResult
    },
    async events(agentId, message) {
      const reader = await readEvents(`${origin}/api/v1/agents/${agentId}/run-stream`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ message }),
      })
      expect(reader.status).toBe(200)
      await reader.ended
      return reader.events
    },
    async log(runId) {
      const rows = await server.context.database.runs.eventsAfter(checkedId(RunId, runId), 0)
      return rows.map(({ event, data }) => ({ ...data, event }))
    },
    async enqueue(agentId, message) {
      const { status, body } = await server.call(`POST /api/v1/agents/${agentId}/run-async`, {
        body: { message },
      })
      expect(status).toBe(202)
      return (body as AgentJob).jobId
    },
    async ended(jobId) {
      let job: AgentJob | null = null
      const read = async () => {
        job = (await server.call(`GET /api/v1/jobs/${jobId}`)).body as AgentJob
        return job.status
      }
      await expect.poll(read, { interval: 20, timeout: 20_000 }).not.toMatch(/queued|running/)
      if (job === null) throw new Error('never read')
      return job
    },
    calls: (name, args) => ({ toolCalls: [{ name, arguments: args }] }),
    lastResult() {
      const message = model.requests.at(-1)?.body.messages?.findLast(({ role }) => role === 'tool')
      return String(message?.content ?? '')
    },
  }
}
