import { type AgentId, type AgentVersionId, Nullable } from '@troupe/contract'
import { idText, journalStep } from '@troupe/durable-work'
import type { AgentCatalog, AgentSnapshot } from '../../ports/agent-catalog.ts'
import type { ToolCall, ToolOutcome } from '../../ports/tool.ts'
import type { RunAgent } from '../../ports/toolbox.ts'
import type { RunContext } from '../../run/run-context.ts'
import { errorResult } from '../../tools/call-tool.ts'
import { freezeMember } from './freeze-team.ts'
import { failureText, saidText } from './member-failure.ts'
import { runMember } from './run-member.ts'

/** The version of an agent that a call of it as a tool began with; null: it did not exist. */
const CALLED_VERSION = journalStep('called_version', 1, Nullable(idText<AgentVersionId>()))

/** Why `parent` may not use an agent as a tool; null if it may. */
function refusal(parent: AgentSnapshot, agent: AgentSnapshot): string | null {
  if (agent.status === 'archived') return `The agent ${agent.name} is archived.`
  const isVisible =
    parent.projectId === null || agent.projectId === null || agent.projectId === parent.projectId
  return isVisible ? null : `The agent ${agent.name} belongs to another project.`
}

/**
 * Runs other agents for `parent`, each as a member of its run: with its own models, instructions and limits, and in a
 * separate row. The version of a call is committed, so that a resumed job continues with it.
 */
export function agentRunner(ctx: RunContext, catalog: AgentCatalog, parent: AgentSnapshot): RunAgent {
  const { organizationId } = parent

  const frozen = async (agentId: AgentId, { key }: ToolCall): Promise<AgentSnapshot | null> => {
    const current = async () => (await catalog.agent(organizationId, agentId))?.versionId ?? null
    const versionId = await ctx.journal.once(CALLED_VERSION, `${key}/version`, current)
    return versionId === null ? null : catalog.agentVersion(organizationId, versionId)
  }

  return async (agentId, message, call, limitMs): Promise<ToolOutcome> => {
    const agent = await frozen(agentId, call)
    if (agent === null) return errorResult('unavailable', `The agent ${agentId} no longer exists.`)
    const refused = refusal(parent, agent)
    if (refused !== null) return errorResult('unavailable', refused)
    const member = freezeMember('agent', agent, null, await catalog.llmConfigurations(organizationId))
    const host = { ctx, startedAt: ctx.now(), memberTimeoutMs: limitMs, memberHistory: null }
    const work = { key: `${call.key}/agent`, input: message, task: message, channel: 'trace' as const }
    const result = await runMember(host, member, work)
    if (result.status !== 'error') return { ok: true, text: saidText(result) }
    return errorResult('failed', `The agent ${agent.name} failed: ${failureText(result)}`)
  }
}
