import type { ModelReply, ModelServer, RecordedRequest, ReplyToolCall } from '@troupe/test-kit/model-server'

/** The subjects of jobs: an agent, and a team of each coordination mode with the members Billing and Support. */
export const SUBJECTS = ['agent', 'handoff', 'dynamic-delegation', 'parallel', 'plan-execute'] as const
export type SubjectName = (typeof SUBJECTS)[number]

/** Every model call of an undisturbed job, in a possible order. */
export const CALLS: Readonly<Record<SubjectName, readonly string[]>> = {
  agent: ['chat'],
  handoff: ['route', 'Support'],
  'dynamic-delegation': ['lead:0', 'Billing', 'Support', 'lead:1'],
  parallel: ['broadcast', 'Billing', 'Support', 'synthesis'],
  'plan-execute': ['plan', 'Billing:t1', 'Support:t2', 'review:1', 'Support:t3', 'review:2', 'report'],
}

/** Members' runs of an undisturbed job. */
export const MEMBER_RUNS: Readonly<Record<SubjectName, number>> = {
  agent: 0,
  handoff: 1,
  'dynamic-delegation': 2,
  parallel: 2,
  'plan-execute': 3,
}

/** Instructions by which the scripted model identifies the caller. */
export const instructionsOf = (name: string) => `I am ${name}.`

/** A message that names its job, so that all of its calls can be distinguished: `for #<tag>#`. */
export const messageOf = (tag: string) => `Please work for #${tag}#`

/** A model call as the server saw it. */
export interface ModelCall {
  /** The job of the call. */
  tag: string
  /** One of {@link CALLS}. */
  name: string
  /** Milliseconds since the epoch at which the complete response was sent; null before. */
  answeredAt: number | null
  /** Whether its response never ends. */
  held: boolean
  request: RecordedRequest
}

/** Responses to a job's calls, by their number from 1 on over all turns. */
export type Behaviour = (nth: number, name: string) => Partial<ModelReply>

/** A model server that plays every role of agents and teams deterministically, and records its calls. */
export class ScriptedCrew {
  readonly calls: ModelCall[] = []
  readonly #model: ModelServer
  readonly #behaviours = new Map<string, Behaviour>()
  #usual: Behaviour = () => ({})

  constructor(model: ModelServer) {
    this.#model = model
    model.respond((request) => this.#answer(request))
  }

  /** The default responses to the calls of all jobs. */
  behaveUsually(behaviour: Behaviour): void {
    this.#usual = behaviour
  }

  /** The responses to the calls of one job besides their text, from now on. */
  behave(tag: string, behaviour: Behaviour): void {
    this.#behaviours.set(tag, behaviour)
  }

  /** Holds the n-th call of a job and every later one: the text is sent, but the response never ends. */
  holdFrom(tag: string, nth: number): void {
    this.behave(tag, (call) => (call >= nth ? { hang: 'stream' } : {}))
  }

  /** Answers calls of the job from now on; hanging ones stay. */
  release(tag: string): void {
    this.#behaviours.delete(tag)
  }

  callsOf(tag: string): ModelCall[] {
    return this.calls.filter((call) => call.tag === tag)
  }

  /** Names of the job's completely answered calls. */
  answered(tag: string): string[] {
    return this.callsOf(tag).flatMap((call) => (call.answeredAt === null ? [] : [call.name]))
  }

  /** The job's held calls with connected callers. */
  heldCalls(tag: string): ModelCall[] {
    return this.callsOf(tag).filter(({ held, request }) => held && request.abortedAt === null)
  }

  /** Names of {@link ScriptedCrew.heldCalls}. */
  hanging(tag: string): string[] {
    return this.heldCalls(tag).map((call) => call.name)
  }

  forget(): void {
    this.calls.length = 0
    this.#behaviours.clear()
    this.#model.requests.length = 0
  }

  #answer(request: RecordedRequest): ModelReply {
    const { tag, name, reply } = readCall(request)
    const call: ModelCall = { tag, name, answeredAt: null, held: false, request }
    this.calls.push(call)
    const played = { ...reply, ...(this.#behaviours.get(tag) ?? this.#usual)(this.callsOf(tag).length, name) }
    call.held = played.hang !== undefined
    if (!call.held && !played.status) {
      // The last piece is sent after these pauses; an earlier disconnect is recorded in `abortedAt`.
      const pieces = played.toolCalls ? 2 : (played.chunks ?? 1)
      const pauses = (played.headersDelayMs ?? 0) + (played.firstTokenDelayMs ?? 0)
      setTimeout(
        () => {
          if (request.abortedAt === null) call.answeredAt = Date.now()
        },
        pauses + (played.paceMs ?? 0) * (pieces - 1),
      )
    }
    return played
  }
}

function textOf(content: unknown): string {
  if (Array.isArray(content)) return content.map((part: { text?: string }) => part.text ?? '').join('')
  return typeof content === 'string' ? content : ''
}

interface Read {
  tag: string
  name: string
  reply: ModelReply
}

/** The role and kind of a call, and its constant answer. */
function readCall({ body }: RecordedRequest): Read {
  const messages = (body.messages ?? []) as { role: string; content: unknown }[]
  const system = textOf(messages.find(({ role }) => role === 'system')?.content)
  const asked = textOf(messages.findLast(({ role }) => role === 'user')?.content)
  const tag = /#([\w-]+)#/.exec(asked)?.[1] ?? 'unknown'
  const who = /I am ([\w -]+)\./.exec(system)?.[1] ?? 'nobody'
  const tool = body.tools?.[0]?.function.name ?? null
  const calls = (name: string, ...toolCalls: ReplyToolCall[]) => ({ tag, name, reply: { toolCalls } })
  const says = (name: string, text: string) => ({ tag, name, reply: { text, chunks: 4, paceMs: 2 } })
  if (who === 'Carrier') {
    const results = messages.filter(({ role }) => role === 'tool').length
    const call = (name: string) => ({ name, arguments: { tag } })
    if (results === 0) return calls('carry:0', call('charge'), call('look_up'))
    return results === 2 ? calls('carry:1', call('notify')) : says('carry:2', `Carried for ${tag}.`)
  }
  if (who === 'Ada') return says('chat', `Ada has worked for ${tag}, word by word.`)
  if (!who.startsWith('lead')) {
    const task = /task (t\d)/.exec(asked)?.[1]
    return says(task ? `${who}:${task}` : who, `${who} reports on ${task ?? 'it'} for ${tag}: all is well.`)
  }
  switch (tool) {
    case 'route':
      return calls('route', { name: tool, arguments: { member: 'm2', task: `Answer for #${tag}#` } })
    case 'broadcast':
      return calls('broadcast', { name: tool, arguments: { task: `Look into #${tag}#` } })
    case 'submit_plan':
      return calls('plan', { name: tool, arguments: planFor(tag) })
    case 'review': {
      const round = asked.includes('Support reports on t3') ? 2 : 1
      return calls(`review:${round}`, { name: tool, arguments: reviewOf(round) })
    }
    case 'delegate': {
      if (messages.some(({ role }) => role === 'tool')) return says('lead:1', `The lead sums up for ${tag}.`)
      const part = (member: string) => ({
        name: tool,
        arguments: { member, task: `Part ${member} for #${tag}#` },
      })
      return calls('lead:0', part('m1'), part('m2'))
    }
    default: {
      const name = who.includes('plan') ? 'report' : 'synthesis'
      return says(name, `The ${name} for ${tag}, written by the lead.`)
    }
  }
}

function planFor(tag: string) {
  const task = (id: string, assignee: string, depends_on: string[] = []) => ({
    id,
    title: `Title of ${id}`,
    description: `Do task ${id} for #${tag}#`,
    assignee,
    depends_on,
  })
  return {
    goal: 'Everything is well',
    done_criteria: [{ id: 'c1', text: 'All is well' }],
    tasks: [task('t1', 'm1'), task('t2', 'm2'), task('t3', 'm2', ['t1', 't2'])],
  }
}

function reviewOf(round: number) {
  return {
    criteria: [{ id: 'c1', met: round === 2, evidence: round === 2 ? ['t3'] : [] }],
    verdict: round === 2 ? 'complete' : 'continue',
    reason: `Round ${round} is over.`,
  }
}
