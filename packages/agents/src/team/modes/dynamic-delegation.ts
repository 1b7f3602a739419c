import { agentLoop, type LoopRequest } from '../../agent/agent-loop.ts'
import { openAgentTools } from '../../agent/agent-tools.ts'
import { structuredAnswer } from '../../agent/structured-answer.ts'
import { withKnowledge } from '../../knowledge/agent-knowledge.ts'
import { sourceOf } from '../../run/acting-agent.ts'
import { emptyAnswer } from '../../run/empty-answer.ts'
import { answerFromReports, isEmptyAnswer } from '../decisions/answer-from-reports.ts'
import { Delegations, delegateTool } from '../decisions/delegate-tool.ts'
import { EmbeddingWriter } from '../decisions/embedding-writer.ts'
import type { CoordinationModeWork, TeamRun } from '../members/team-run.ts'
import { leadPrompt } from '../prompts/lead-prompt.ts'

const ROLE = [
  'You lead a team. Split the request into the parts that members are best at, delegate them with the tool, and write',
  'the one answer for the user from what they report. Delegate independent parts in the same step; delegate again when a',
  'result shows the need. A member knows only what you tell it: every task stands alone.',
].join('\n')
/** Only for an answer in text: within JSON nothing is replaced. */
const VERBATIM =
  'To give a result word for word, write [[result:<id>]] alone on a line, with the id of that result.'
/** For a managed lead, which has no configuration. */
const REPEAT_LIMIT = 3
const DIRECT = 'Answer yourself when no member is needed, for instance to a greeting.'
const ALWAYS = 'Begin with at least one delegation; never answer the first step yourself.'

function roleOf({ team, output }: TeamRun): string {
  const begins = team.snapshot.config.lead_may_answer_directly ? DIRECT : ALWAYS
  return [ROLE, ...(output ? [] : [VERBATIM]), begins].join('\n')
}

/**
 * The lead works in steps and delegates to members with a tool; its text in the step without a tool call is
 * the answer.
 */
export const dynamicDelegation: CoordinationModeWork = async (run) => {
  const { ctx, lead, team, output } = run
  const { limits, lead_may_answer_directly } = team.snapshot.config
  const delegations = new Delegations(run)
  const { agent } = team.lead
  const { signal } = ctx
  await using toolbox = agent
    ? await openAgentTools(ctx, lead, agent, { level: 'root', keyPrefix: '', signal })
    : null
  const message = agent
    ? await withKnowledge(ctx, lead, agent, { message: run.message, keyPrefix: '', signal })
    : run.message
  const request: LoopRequest = {
    actor: lead,
    keyPrefix: '',
    purpose: 'chat',
    prompt: leadPrompt(run, roleOf(run), team.members, message, { skills: toolbox?.skills ?? '' }),
    tools: [delegateTool(run, delegations), ...(toolbox?.tools ?? [])],
    limits: {
      maxSteps: limits.lead_max_steps,
      maxToolCalls: Number.POSITIVE_INFINITY,
      parallelToolCalls: true,
      toolChoice: lead_may_answer_directly ? 'auto' : 'required',
      repeatLimit: agent?.config.execution.loop_guard.repeat_limit ?? REPEAT_LIMIT,
    },
    channel: 'answer',
    transcript: ctx.output.transcript,
    openWriter: (channel) =>
      new EmbeddingWriter(
        ctx.output,
        sourceOf(lead),
        channel,
        (name) => delegations.textOf(name),
        () => delegations.reports.length > 0,
      ),
  }
  const { finishReason } = await (output
    ? structuredAnswer(ctx, request, output)
    : agentLoop(ctx, request)
  ).then(
    (ended) => {
      const isEmpty = ended.text === '' && delegations.reports.length > 0
      return isEmpty ? answerFromReports(run, delegations.reports, emptyAnswer(ended.finishReason)) : ended
    },
    (error: unknown) => {
      if (isEmptyAnswer(error)) return answerFromReports(run, delegations.reports, error)
      throw error
    },
  )
  const author = { agentId: lead.agentId, name: lead.name }
  return { success: finishReason !== 'content-filter', author, plan: null }
}
