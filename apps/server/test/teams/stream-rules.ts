import {
  type CoordinationMode,
  STREAM_EVENTS,
  type StreamDetail,
  type StreamEvent,
  type StreamEventName,
  TERMINAL_EVENTS,
  validator,
} from '@troupe/contract'

type Named<N extends StreamEventName> = Extract<StreamEvent, { event: N }>

const CHECKS = Object.fromEntries(
  Object.entries(STREAM_EVENTS).map(([name, schema]) => [
    name,
    validator(schema as Parameters<typeof validator>[0]),
  ]),
)
const FULL_ONLY: StreamEventName[] = ['ModelRequestStarted', 'ModelRequestCompleted', 'ReasoningDelta']
const ANSWER: StreamEventName[] = ['RunStarted', 'RunContent', 'RunContentReset', ...TERMINAL_EVENTS]

export function all<N extends StreamEventName>(events: readonly StreamEvent[], name: N): Named<N>[] {
  return events.filter((event): event is Named<N> => event.event === name)
}

/** The text of a stream's messages without reset ones. */
export function textOf(
  events: readonly StreamEvent[],
  belongs: (event: Named<'RunContent'>) => boolean = ({ channel }) => channel === 'answer',
): string {
  const voided = new Set(all(events, 'RunContentReset').map(({ messageId }) => messageId))
  return all(events, 'RunContent')
    .filter((event) => belongs(event) && !voided.has(event.messageId))
    .map(({ delta }) => delta)
    .join('')
}

/** Whether a stream of this detail shows the event. */
export function isShownIn(detail: StreamDetail, event: StreamEvent): boolean {
  if (detail === 'full') return true
  if (detail === 'standard') return !FULL_ONLY.includes(event.event)
  return ANSWER.includes(event.event) && (event.event !== 'RunContent' || event.channel === 'answer')
}

function schemaDefects(events: readonly StreamEvent[]): string[] {
  return events.flatMap((event) => {
    const checked = CHECKS[event.event]?.(event)
    if (!checked) return [`${event.event} is not an event of the contract`]
    const schema = STREAM_EVENTS[event.event] as { properties?: object; anyOf?: { properties: object }[] }
    const known = Object.keys({ ...schema.properties, ...schema.anyOf?.at(-1)?.properties })
    const unknown = Object.keys(event).filter((key) => !known.includes(key))
    return [
      ...(checked.ok ? [] : checked.errors.map(({ path, message }) => `${event.event}.${path} ${message}`)),
      ...unknown.map((key) => `${event.event}.${key} is not in the contract`),
    ]
  })
}

function orderDefects(events: readonly StreamEvent[]): string[] {
  const terminal = (event: StreamEvent) => (TERMINAL_EVENTS as readonly string[]).includes(event.event)
  const last = events.at(-1)
  return [
    ...events.flatMap((event, index) => (event.seq === index + 1 ? [] : [`seq ${event.seq} at ${index}`])),
    ...(events[0]?.event === 'RunStarted' ? [] : ['does not begin with RunStarted']),
    ...(all(events, 'RunStarted').length === 1 ? [] : ['starts more than once']),
    ...(last && terminal(last) ? [] : ['does not end with a terminal event']),
    ...(events.filter(terminal).length === 1 ? [] : ['ends more than once']),
  ]
}

function messageDefects(events: readonly StreamEvent[]): string[] {
  const defects: string[] = []
  const owners = new Map<string, string>()
  const voided = new Set<string>()
  for (const event of events) {
    if (event.event === 'RunContent') {
      const { messageId, channel, source, delta } = event
      const owner = `${channel} ${JSON.stringify(source)}`
      if (delta === '') defects.push('an empty delta')
      if (voided.has(messageId)) defects.push(`${messageId} goes on after its reset`)
      if ((owners.get(messageId) ?? owner) !== owner) defects.push(`${messageId} changes its owner`)
      owners.set(messageId, owner)
    }
    if (event.event === 'RunContentReset') {
      if (!owners.has(event.messageId)) defects.push(`${event.messageId} is reset and was never written`)
      if (voided.has(event.messageId)) defects.push(`${event.messageId} is reset twice`)
      voided.add(event.messageId)
    }
  }
  return defects
}

/** The lead, if it is an agent. */
interface AgentLead {
  agentId: string
  name: string
}

function sourceDefects(
  events: readonly StreamEvent[],
  mode: CoordinationMode,
  agentLead: AgentLead | undefined,
): string[] {
  const [started] = events
  const root = started?.runId ?? ''
  const team = started?.event === 'RunStarted' && started.kind === 'team' ? started.teamName : ''
  const lead = agentLead ?? { agentId: null, name: team }
  const members = new Map(
    all(events, 'MemberRunStarted').map(({ memberRunId, member }) => [memberRunId, member]),
  )
  return events.flatMap((event) => {
    const defects: string[] = []
    if (event.runId !== root) defects.push(`${event.event} is of another run`)
    if (!('source' in event)) return defects
    const { role, agentId, agentName, runId } = event.source
    const member = members.get(runId)
    if (role === 'lead' && (runId !== root || agentId !== lead.agentId || agentName !== lead.name)) {
      defects.push(`${event.event} of the lead has the source ${JSON.stringify(event.source)}`)
    }
    if (role === 'member' && (member?.agentId !== agentId || member?.name !== agentName)) {
      defects.push(`${event.event} of a member has the source ${JSON.stringify(event.source)}`)
    }
    if (role === 'agent') defects.push(`${event.event} is of an agent that is neither lead nor member`)
    if (event.event === 'RunContent') {
      const expected = (role === 'member') === (mode === 'handoff') ? 'answer' : 'trace'
      if (event.channel !== expected) defects.push(`a ${role} writes on ${event.channel}`)
    }
    return defects
  })
}

function memberDefects(events: readonly StreamEvent[]): string[] {
  const ended = [...all(events, 'MemberRunCompleted'), ...all(events, 'MemberRunError')]
  const stopped = events.at(-1)?.event === 'RunCancelled'
  const started = all(events, 'MemberRunStarted')
  return [
    ...started.flatMap(({ memberRunId, seq }) => {
      const ends = ended.filter((end) => end.memberRunId === memberRunId)
      if (ends.length !== 1 && !stopped) return [`member run ${memberRunId} ends ${ends.length} times`]
      return ends.some((end) => end.seq < seq) ? [`member run ${memberRunId} ends before it starts`] : []
    }),
    ...(started.length === new Set(started.map(({ memberRunId }) => memberRunId)).size
      ? []
      : ['a member run starts twice']),
    ...all(events, 'MemberRunCompleted').flatMap(({ memberRunId, content }) => {
      const written = textOf(events, ({ source }) => source.runId === memberRunId)
      return written === content
        ? []
        : [`member wrote ${JSON.stringify(written)}, gave ${JSON.stringify(content)}`]
    }),
    ...all(events, 'ToolCallStarted').flatMap(({ toolCallId, source, seq }) => {
      const ends = events.filter(
        (event) =>
          (event.event === 'ToolCallCompleted' || event.event === 'ToolCallError') &&
          event.toolCallId === toolCallId &&
          event.source.runId === source.runId &&
          event.seq > seq,
      )
      return ends.length === 1 || stopped ? [] : [`${toolCallId} ends ${ends.length} times`]
    }),
  ]
}

function planDefects(events: readonly StreamEvent[]): string[] {
  const [created] = all(events, 'PlanCreated')
  if (!created) return []
  const defects: string[] = []
  const statuses = new Map(created.plan.tasks.map(({ id, status }) => [id, status]))
  for (const { task, previousStatus } of all(events, 'TaskUpdated')) {
    if ((statuses.get(task.id) ?? null) !== previousStatus) {
      defects.push(`${task.id} was ${statuses.get(task.id)}, not ${previousStatus}`)
    }
    statuses.set(task.id, task.status)
  }
  const last = events.at(-1)
  const plan = last?.event === 'RunCompleted' && 'plan' in last.result ? last.result.plan : null
  for (const { id, status } of plan?.tasks ?? []) {
    if (statuses.get(id) !== status) defects.push(`${id} is told as ${statuses.get(id)} and is ${status}`)
    if (status === 'running') defects.push(`${id} runs for ever`)
  }
  return defects
}

/** All violations in the complete stream of a team's run at detail `full`; empty without any. */
export function streamDefects(
  events: readonly StreamEvent[],
  mode: CoordinationMode,
  agentLead?: AgentLead,
): string[] {
  const last = events.at(-1)
  const told =
    last?.event === 'RunCompleted'
      ? last.result.content
      : last?.event === 'RunCancelled'
        ? last.content
        : null
  const written = textOf(events)
  return [
    ...schemaDefects(events),
    ...orderDefects(events),
    ...messageDefects(events),
    ...sourceDefects(events, mode, agentLead),
    ...memberDefects(events),
    ...planDefects(events),
    ...(told === null || told === written
      ? []
      : [`content is ${JSON.stringify(told)}, deltas are ${JSON.stringify(written)}`]),
  ]
}
