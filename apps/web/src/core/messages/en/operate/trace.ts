import type { ModelPurpose } from '@troupe/contract'
import { counted } from '../../../format/numbers.ts'

/** The purpose of each model call, as the title of its step. */
const purposes: Readonly<Record<string, string>> = {
  chat: 'Answer',
  route: 'Choose who answers',
  broadcast: 'Write the request for all members',
  plan: 'Plan',
  review: 'Check the results',
  synthesis: 'Combine the results',
  report: 'Write the report',
  summary: 'Summarize older turns',
  prompt: 'Run the AI Prompt step',
  classify: 'Classify the text',
  guardrail: 'Check a rule',
  embedding: 'Embed',
  memory: 'Remember the user',
  rerank: 'Rerank passages',
  test: 'Test the model',
} satisfies Record<ModelPurpose, string>

/** Why each model call happened. */
const reasons: Readonly<Record<string, string>> = {
  chat: 'The model reads the conversation and answers, or requests tools.',
  route: 'The lead decides which member answers, and with which task.',
  broadcast: 'The lead writes one request that every member gets.',
  plan: 'The lead divides the goal into tasks.',
  review: 'The lead compares the results with the goal and decides how to continue.',
  synthesis: 'The lead combines the results of the members into one answer.',
  report: 'The lead writes the answer from the plan and its results.',
  summary: 'The conversation exceeded its token limit.',
  prompt: 'A workflow step calls a model.',
  classify: 'A workflow step lets a model classify a text.',
  guardrail: 'A guardrail rule calls a model.',
  embedding: 'The question is compared with the meaning of passages.',
  memory: 'The agent updates its memories of the user.',
  rerank: 'A model reranks the passages.',
  test: 'Somebody tested the model in the settings.',
} satisfies Record<ModelPurpose, string>

/** Texts of the trace of an agent's or a team's run: its steps, and why each happened. */
export const traceWords = {
  deleted: 'Deleted',
  failed: 'failed',
  providerSaid: (reason: string, sentence: string) => `${reason}: ${sentence}`,
  tool: 'Tool call',
  waited: (tool: string) => `Approval of ${tool}`,
  decisions: {
    pending: 'Waiting for a person',
    approved: 'Approved',
    denied: 'Rejected',
    expired: 'Nobody decided in time',
  },
  decidedBy: (decision: string, name: string) => `${decision} by ${name}`,
  round: (round: number) => `Round ${round}`,
  tasks: (count: number) => counted(count, 'task', 'tasks'),
  asMember: (member: string, round: number) => `member ${member}${round > 1 ? `, round ${round}` : ''}`,
  asTask: (task: string, attempt: number) => `task ${task}${attempt > 1 ? `, attempt ${attempt}` : ''}`,
  asTool: 'as a tool',
  kinds: { agent: 'Agent', team: 'Team', workflow: 'Workflow' },
  purposes,
  why: {
    root: 'The caller sent a message.',
    wait: 'The tool needs the approval of a person.',
    model: 'A step of the run called a model.',
    purposes: reasons,
    fallback: (model: string, reason: string) => `${model} failed (${reason}), so the next model was tried.`,
    again: (attempt: number, reason: string) =>
      `Attempt ${attempt}, because the previous attempt failed (${reason}).`,
    tools: {
      ok: 'The model requested this tool.',
      error: 'The model requested this tool, which failed; the model read the error.',
      denied: 'The model requested this tool, and the call was not allowed.',
    },
    chosen: (member: string) => `The lead chose ${member} with this task.`,
    rerouted: (member: string, round: number) =>
      `The previous answer was not used, so the lead chose ${member} in round ${round}.`,
    broadcast: 'The lead sent every member the same request.',
    everybody: 'Every member received the caller’s message.',
    only: 'Only one member could answer, so the lead did not choose.',
    task: (title: string) => `Its task in the plan: ${title}.`,
    taskAgain: (title: string, attempt: number) => `Attempt ${attempt} at its task in the plan: ${title}.`,
    delegated: (member: string) => `The lead delegated this task to ${member}.`,
    firstRound: 'The lead planned these tasks.',
    nextRound: 'The lead checked the previous round, and there was more to do.',
    agentTool: 'Another agent called this agent as a tool.',
    member: 'A step of the team started it.',
  },
} as const
