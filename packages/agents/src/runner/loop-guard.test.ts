import type { AgentConfig } from '@troupe/contract'
import { expect, test } from 'vitest'
import { recorded } from '../agent/testing/loop-setting.ts'
import type { ToolCall } from '../ports/tool.ts'
import { delegate, route } from '../team/testing/lead-replies.ts'
import { CREW, RunKit, type TestTeam } from '../testing/run-kit.ts'

const LIMITS = [2, 5, 20]

/** The number of executions of a tool that is called endlessly with the same arguments, by the only agent that has it. */
async function executions(repeatLimit: number, team?: TestTeam): Promise<number> {
  const seen: ToolCall[] = []
  const config = (all: AgentConfig) => {
    all.execution.loop_guard.repeat_limit = repeatLimit
    all.execution.max_steps = 100
  }
  await using kit = new RunKit({
    agents: [{ name: 'Ada', config }, { name: 'Ben' }],
    ...(team && { team }),
    toolboxes: {
      open: async ({ name }) => ({
        tools: name === 'Ada' ? [recorded('look', seen)] : [],
        [Symbol.asyncDispose]: async () => {},
      }),
    },
    respond({ agent, forced, results, options }) {
      if (forced === 'route') return route('m1', 'T')
      if (agent === CREW) return results.length === 0 ? delegate('m1: T') : 'Done'
      const mayCall = options.tools && options.toolChoice?.type !== 'none'
      return mayCall ? { call: 'look', input: { at: 'the same' } } : 'Done'
    },
  })
  expect(await kit.run()).toMatchObject({ success: true, content: 'Done' })
  return seen.length
}

test.for(
  LIMITS,
)('the equal call with the number of loop_guard.repeat_limit is refused: %i', async (limit) => {
  expect(await executions(limit)).toBe(limit - 1)
})

const members = ['Ada', 'Ben']

test.for(LIMITS)('a member of a team has its own repeat_limit: %i', async (limit) => {
  expect(await executions(limit, { mode: 'handoff', members })).toBe(limit - 1)
  expect(await executions(limit, { mode: 'dynamic-delegation', members })).toBe(limit - 1)
})

test.for(LIMITS)('a promoted lead has its own repeat_limit for its own tools: %i', async (limit) => {
  const limits = { lead_max_steps: 50 }
  const team: TestTeam = { mode: 'dynamic-delegation', lead: 'Ada', members: ['Ben'], limits }
  expect(await executions(limit, team)).toBe(limit - 1)
})
