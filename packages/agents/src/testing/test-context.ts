import { AgentId, OrganizationId, RunId, type StreamEvent } from '@troupe/contract'
import { NOBODY_TO_ASK } from '../approvals/live-approvals.ts'
import type { ChatModels } from '../ports/chat-models.ts'
import type { Tool } from '../ports/tool.ts'
import type { ActingAgent } from '../run/acting-agent.ts'
import { Announcer } from '../run/announcer.ts'
import { CitedPassages } from '../run/cited-passages.ts'
import { Journal } from '../run/journal.ts'
import { MembersLog } from '../run/members-log.ts'
import { PromptLog } from '../run/prompt-log.ts'
import { RunBudget } from '../run/run-budget.ts'
import { RunClock } from '../run/run-clock.ts'
import type { RunContext } from '../run/run-context.ts'
import { MessageIds, StreamedAnswer } from '../run/streamed-answer.ts'
import { Transcript } from '../run/transcript.ts'
import { EventLog } from '../stream/event-log.ts'
import { RunEvents } from '../stream/run-events.ts'
import { Ledger } from '../usage/ledger.ts'
import { NO_GUARDRAILS } from './no-guardrails.ts'
import { NO_KNOWLEDGE, NO_RERANKING } from './no-knowledge.ts'
import { NO_SKILLS } from './no-skills.ts'
import { NO_TELEMETRY } from './no-telemetry.ts'
import { scriptedModels } from './scripted-model.ts'
import { idNamed } from './test-ids.ts'

const organizationId = idNamed(OrganizationId, 'organization')
const runId = idNamed(RunId, 'run')
const agentId = idNamed(AgentId, 'Ada')

/** The context of an unstored run, with the events that its reader sees. */
export function testContext(options: {
  models?: ChatModels
  tools?: readonly Tool[]
  journal?: Journal
  signal?: AbortSignal
  /** The turn of a job: it changes the message ids. */
  turn?: number
}): RunContext & { shown: StreamEvent[] } {
  const shown: StreamEvent[] = []
  const log = new EventLog({
    ...{ runId, organizationId, telemetry: NO_TELEMETRY, fence: null },
    store: { appendEvents: async () => {} },
    signals: { publish: async () => {}, subscribe: () => () => {}, [Symbol.asyncDispose]: async () => {} },
  })
  const events = new RunEvents({ runId, log, listener: (event) => shown.push(event), now: () => 1_000 })
  events.start({ kind: 'agent', agentId, agentName: 'Ada', sessionId: 's', userId: 'u' })
  return {
    shown,
    identity: { runId, organizationId, user: null },
    spending: { ledger: new Ledger(), budget: new RunBudget() },
    output: {
      ...{ events, flags: [], gate: null, input: { replaced: null } },
      announcer: new Announcer(events, []),
      answer: new StreamedAnswer(),
      messageIds: new MessageIds(options.turn ?? 0),
      transcript: new Transcript(),
      members: new MembersLog(),
      prompts: new PromptLog(true),
      citations: new CitedPassages(),
    },
    services: {
      ...{ guardrails: NO_GUARDRAILS, approvals: NOBODY_TO_ASK, telemetry: NO_TELEMETRY },
      ...{ knowledge: NO_KNOWLEDGE, reranking: NO_RERANKING, skills: NO_SKILLS },
      models: options.models ?? scriptedModels(),
      resolveModel: async () => null,
      openTools: async () => ({ tools: options.tools ?? [], [Symbol.asyncDispose]: async () => {} }),
    },
    signal: options.signal ?? new AbortController().signal,
    clock: new RunClock(Date.now, Date.now() + 60_000),
    journal: options.journal ?? new Journal(),
    now: () => Date.now(),
  }
}

/** The agent that works in a {@link testContext}. */
export function testActor(): ActingAgent {
  return {
    ...{
      role: 'agent',
      agentId,
      name: 'Ada',
      runId,
      isMember: false,
      exposeReasoning: false,
    },
    resolved: {
      models: [null],
      chain: { targets: [{ connection: { llmConfigId: 'c' }, modelId: 'm' }] },
    } as unknown as ActingAgent['resolved'],
    spent: { inputTokens: 0, outputTokens: 0, failoverUsed: false },
  }
}
