import type { RunDependencies } from '@troupe/agents'
import type { AgentSnapshot, Clock } from '@troupe/agents/ports'
import { type AgentId, DomainError, type IdText } from '@troupe/contract'
import type { AgentPrompt, ModelCallPreview, PromptBody, PromptPart } from '@troupe/contract/builder'
import type { AgentRecord, Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import type { ToolSourceCheck } from '../agents/source-check.ts'
import { usableAgentDraft } from '../playground/agent-draft.ts'
import { playgroundRequest } from '../playground/playground-request.ts'
import { findRunnable } from '../runnables/find-runnable.ts'
import { presentCall } from './present-call.ts'
import { type Rehearsal, rehearse, type SystemSegments } from './rehearse.ts'

/** Dependencies of showing prompts. */
export interface ShowPromptParts {
  database: Pick<Database, 'read'>
  toolSources: ToolSourceCheck
  clock: Clock
  runs: { deps: RunDependencies }
}

/** @throws DomainError `llm_configuration_not_found` if no call was possible */
export function requireCalls({ problem }: Rehearsal): void {
  if (problem !== null) throw new DomainError('llm_configuration_not_found', problem)
}

/** The ranges of the segments within the system text. */
function systemParts(segments: SystemSegments): PromptPart[] {
  let start = 0
  return segments.map(({ from, text }) => {
    const part = { from, message: null, start, end: start + text.length }
    start = part.end + '\n\n'.length
    return part
  })
}

/** History first, then the message, which may follow passages of knowledge. */
function messageParts({ messages }: ModelCallPreview, message: string): PromptPart[] {
  const last = messages.length - 1
  const text = messages[last]?.content ?? ''
  const start = text.length - message.length
  const history = messages
    .slice(0, last)
    .map(({ content }, index) => ({ from: 'memory.history', message: index, start: 0, end: content.length }))
  const knowledge = start > 0 ? [{ from: 'knowledge', message: last, start: 0, end: start }] : []
  return [...history, ...knowledge, { from: 'message', message: last, start, end: text.length }]
}

/** Nothing runs, so the prompt of an archived agent is shown as if it were active. */
function snapshotOf(
  agent: AgentRecord,
  content: Pick<AgentSnapshot, 'name' | 'description' | 'config'>,
): AgentSnapshot {
  const { id: agentId, versionId, organizationId, projectId } = agent
  return { agentId, versionId, organizationId, projectId, status: 'active', ...content }
}

/**
 * The prompt of an agent's model, or of its draft's, for a message.
 *
 * @throws DomainError as the start of a run, and as saving the draft
 */
export async function showAgentPrompt(
  parts: ShowPromptParts,
  caller: BuilderCaller,
  agentId: IdText<AgentId>,
  { draft, message, sessionId, userId }: PromptBody,
): Promise<AgentPrompt> {
  const { read } = parts.database
  const agent = await findRunnable('agent', read.agents.byId, caller, agentId)
  const content = draft ? await usableAgentDraft(parts, caller, agent, draft) : agent
  const body = {
    message,
    ...(sessionId !== undefined && { session_id: sessionId }),
    ...(userId !== undefined && { user_id: userId }),
  }
  const { name, description, config } = content
  const request = playgroundRequest(parts.clock, caller, { kind: 'agent', id: agent.id }, body)
  const rehearsal = await rehearse(parts.runs.deps, request, {
    agent: snapshotOf(agent, { name, description, config }),
  })
  requireCalls(rehearsal)
  const [first] = rehearsal.calls
  if (!first) throw new Error('a rehearsal without a call and without a problem')
  const preview = presentCall(first)
  return { ...preview, parts: [...systemParts(rehearsal.segments), ...messageParts(preview, message)] }
}
