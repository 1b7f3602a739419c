import { checkedId, KnowledgeBaseId } from '@troupe/contract'
import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { KnowledgePassage } from '../ports/knowledge.ts'
import type { NumberedPassage, ToolOutcome } from '../ports/tool.ts'
import type { ActingAgent } from '../run/acting-agent.ts'
import type { RunContext } from '../run/run-context.ts'
import { isReranked, RERANKED, rerankPassages } from './rerank-passages.ts'

function shown(passages: readonly KnowledgePassage[], numbered: readonly NumberedPassage[] | null): string {
  const rows = passages.map(({ documentName, page, url, text }, at) => ({
    ...(numbered && { n: numbered[at]?.n }),
    document: documentName,
    ...(page !== null && { page }),
    ...(url !== null && { url }),
    text,
  }))
  return JSON.stringify({ passages: rows })
}

/**
 * Searches the knowledge bases of an agent: passages as JSON, numbered for citations if the agent cites.
 *
 * @throws the reason of `signal`
 */
export async function searchForAgent(
  ctx: RunContext,
  actor: ActingAgent,
  agent: AgentSnapshot,
  query: string,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { knowledge } = agent.config
  const caller = { agentId: agent.agentId, memberRunId: actor.isMember ? actor.runId : null }
  const answer = await ctx.services.knowledge.search({
    organizationId: ctx.identity.organizationId,
    projectId: agent.projectId,
    baseIds: knowledge.base_ids.map((id) => checkedId(KnowledgeBaseId, id)),
    query,
    topK: isReranked(agent) ? Math.max(RERANKED, knowledge.top_k) : knowledge.top_k,
    minScore: knowledge.min_score,
    filters: knowledge.filters,
    signal,
    onAttempt: (attempt) => void ctx.spending.ledger.add(attempt, 'embedding', null, caller),
  })
  if (answer.kind === 'unavailable') return { ok: false, code: 'unavailable', message: answer.message }
  const ordered = await rerankPassages(ctx, { actor, agent, query, signal }, answer.passages)
  const best = ordered.slice(0, knowledge.top_k)
  if (!knowledge.cite) return { ok: true, text: shown(best, null) }
  const passages = ctx.output.citations.number(best)
  return { ok: true, text: shown(best, passages), passages }
}
