import { AsyncLocalStorage } from 'node:async_hooks'
import { Journal, LiveRun, prepareRun, type RunDependencies, type RunRequest } from '@troupe/agents'
import type { AgentCatalog, AgentSnapshot, TeamSnapshot } from '@troupe/agents/ports'
import { checkedId, KnowledgeChunkId, KnowledgeDocumentId } from '@troupe/contract'
import type { JournalStep } from '@troupe/durable-work'
import { type RehearsedCall, rehearsingModels } from './rehearsing-models.ts'

/** A run's steps, with the current one marked. */
class TracedJournal extends Journal {
  readonly #key: AsyncLocalStorage<string>

  constructor(key: AsyncLocalStorage<string>) {
    super()
    this.#key = key
  }

  override once<T>(step: JournalStep<T>, key: string, work: () => Promise<T>): Promise<T> {
    const around = this.#key.getStore()
    // Steps of a member include its own key.
    const whole = around === undefined || key.startsWith(around) ? key : `${around}/${key}`
    return super.once(step, key, () => this.#key.run(whole, work))
  }
}

/** The drafts to rehearse instead of the stored versions. */
interface Drafts {
  agent?: AgentSnapshot
  team?: TeamSnapshot
}

function withDrafts(catalog: AgentCatalog, { agent, team }: Drafts): AgentCatalog {
  return {
    agent: async (organizationId, id) =>
      agent && id === agent.agentId ? agent : catalog.agent(organizationId, id),
    agentVersion: (organizationId, id) => catalog.agentVersion(organizationId, id),
    team: async (organizationId, id) =>
      team && id === team.teamId ? team : catalog.team(organizationId, id),
    teamVersion: (organizationId, id) => catalog.teamVersion(organizationId, id),
    llmConfigurations: (organizationId) => catalog.llmConfigurations(organizationId),
    modelBudgets: (organizationId) => catalog.modelBudgets(organizationId),
  }
}

const NIL = '00000000-0000-0000-0000-000000000000'

/** A passage in place of search results, because searching would call embedding models. */
const PASSAGE = {
  chunkId: checkedId(KnowledgeChunkId, NIL),
  documentId: checkedId(KnowledgeDocumentId, NIL),
  documentName: '‹document›',
  page: null,
  url: null,
  text: '‹passages that match the message›',
  score: 1,
  similarity: null,
}

/** The parts of an agent's system text. */
export type SystemSegments = readonly { from: string; text: string }[]

/** The model calls that a run would make. */
export interface Rehearsal {
  calls: RehearsedCall[]
  /** The segments of an agent's system text. */
  segments: SystemSegments
  /** Why the run would make no call; null if it makes one. */
  problem: string | null
}

/**
 * Rehearses a run: the code of real runs builds the prompts, and models answer with placeholders. Nothing is stored,
 * and tools are opened but not called.
 *
 * @param member the member that a handoff chooses, counted from 0
 * @throws DomainError as the start of a run
 */
export async function rehearse(
  deps: RunDependencies,
  request: RunRequest,
  { member = 0, ...drafts }: Drafts & { member?: number } = {},
): Promise<Rehearsal> {
  const calls: RehearsedCall[] = []
  const key = new AsyncLocalStorage<string>()
  const models = rehearsingModels(calls, { keyNow: () => key.getStore() ?? '', member })
  const own: RunDependencies = {
    ...deps,
    catalog: withDrafts(deps.catalog, drafts),
    models,
    guardrails: { check: async (_rules, text) => ({ text, blocked: null, flags: [] }) },
    knowledge: { search: async () => ({ kind: 'found', passages: [PASSAGE] }) },
  }
  const prepared = await prepareRun(own, request)
  // Without a reader there are no events to store.
  const run = new LiveRun(own, { ...prepared, request: { ...request, source: 'api_sync' } }, null)
  let segments: SystemSegments = []
  run.context.journal = new TracedJournal(key)
  run.context.output.explain = (given) => {
    segments = given
  }
  const outcome = await run.work()
  const problem = calls.length === 0 && outcome.kind === 'failed' ? outcome.message : null
  return { calls, segments, problem }
}
