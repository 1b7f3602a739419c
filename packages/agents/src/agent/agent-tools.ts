import { knowledgeTools } from '../knowledge/agent-knowledge.ts'
import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { Toolbox } from '../ports/toolbox.ts'
import type { ActingAgent } from '../run/acting-agent.ts'
import type { RunContext } from '../run/run-context.ts'
import { openSkills } from '../skills/agent-skills.ts'
import { voiceTools } from '../voice/voice-tools.ts'

/** The tools of an agent in one run, and its skills in the prompt. */
export interface AgentToolbox extends Toolbox {
  /** The skills in the prompt; empty without skills. */
  skills: string
}

/**
 * The tools of an agent: those of its configuration, the search of its knowledge in mode `tool`, the tools that load
 * its skills, and in a spoken conversation its own tools. A tool of the configuration with the name of another tool is
 * left out.
 */
export async function openAgentTools(
  ctx: RunContext,
  actor: ActingAgent,
  agent: AgentSnapshot,
  place: { level: 'root' | 'member'; keyPrefix: string; signal: AbortSignal },
): Promise<AgentToolbox> {
  const { shown, tools, limited } = await openSkills(ctx, agent, place.keyPrefix)
  const toolbox = await ctx.services.openTools(agent, place.signal, place.level)
  const knowledge = knowledgeTools(ctx, actor, agent)
  const voice = ctx.identity.voice && place.level === 'root' ? voiceTools(ctx.identity.voice) : []
  const taken = new Set([...tools, ...knowledge, ...voice].map(({ name }) => name))
  const own = [...knowledge, ...voice, ...toolbox.tools.filter(({ name }) => !taken.has(name))]
  return {
    tools: [...tools, ...own.map(limited)],
    skills: shown,
    [Symbol.asyncDispose]: () => toolbox[Symbol.asyncDispose](),
  }
}
