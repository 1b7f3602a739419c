import type { AgentId } from '@troupe/contract'
import { agentsAmong, runsItself } from '@troupe/operations/agents/tool-references'
import type { AgentRecord } from '@troupe/storage'
import type { Planner } from '../resolve/planner.ts'
import type { AgentStep } from './plan-agents.ts'

/** Refuses agents that would run themselves through their tools. */
export async function checkAgentCycles(
  planner: Planner,
  agents: readonly AgentStep[],
  stored: readonly AgentRecord[],
): Promise<void> {
  const after = new Map<AgentId, AgentRecord['config']['tools']>()
  for (const { id, config } of [...stored, ...agents.map((step) => step.after)]) after.set(id, config.tools)
  const toolsOf = async (ids: readonly AgentId[]) => ids.map((id) => after.get(id) ?? [])
  for (const { path, after: agent, changed } of agents) {
    const first = agentsAmong(agent.config.tools)
    if (changed && first.length > 0 && (await runsItself(agent.id, first, toolsOf))) {
      planner.problems.add(`${path}.config.tools`, 'have a cycle: the agent would call itself')
    }
  }
}
