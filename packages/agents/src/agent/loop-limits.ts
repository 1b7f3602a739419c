import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { LoopLimits } from './agent-loop.ts'

/** The limits of an agent's own loop. */
export function loopLimitsOf({ config }: AgentSnapshot): LoopLimits {
  const { max_steps, max_tool_calls, parallel_tool_calls, tool_choice, loop_guard } = config.execution
  return {
    maxSteps: max_steps,
    maxToolCalls: max_tool_calls,
    parallelToolCalls: parallel_tool_calls,
    toolChoice: tool_choice,
    repeatLimit: loop_guard.repeat_limit,
  }
}
