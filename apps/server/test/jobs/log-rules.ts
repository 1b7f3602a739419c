import type { StreamEvent } from '@troupe/contract'

const ENDS = ['RunCompleted', 'RunError', 'RunCancelled']

/** The answer assembled from its deltas by a reader, without reset messages. */
export function answerOf(events: readonly StreamEvent[]): string {
  const voided = new Set(
    events.flatMap((event) => (event.event === 'RunContentReset' ? [event.messageId] : [])),
  )
  return events
    .flatMap((event) =>
      event.event === 'RunContent' && event.channel === 'answer' && !voided.has(event.messageId)
        ? [event.delta]
        : [],
    )
    .join('')
}

/** Violations in a complete log (`detail=full`) of an ended run; empty if all rules hold. */
export function logProblems(events: readonly StreamEvent[]): string[] {
  const problems: string[] = []
  const gap = events.findIndex(({ seq }, index) => seq !== index + 1)
  if (gap >= 0) problems.push(`number ${events[gap]?.seq} stands at place ${gap + 1}`)
  const started = events.flatMap(({ event, seq }) => (event === 'RunStarted' ? [seq] : []))
  if (started.join() !== '1') problems.push(`RunStarted has the numbers ${started.join() || '(none)'}`)
  const ends = events.flatMap(({ event, seq }) => (ENDS.includes(event) ? [seq] : []))
  if (ends.join() !== String(events.length)) problems.push(`ends have the numbers ${ends.join() || '(none)'}`)
  const members = events.flatMap((event) => (event.event === 'MemberRunStarted' ? [event.memberRunId] : []))
  if (new Set(members).size !== members.length) problems.push('a member was announced twice')
  const ended = events.flatMap((event) => (event.event === 'MemberRunCompleted' ? [event.memberRunId] : []))
  if (new Set(ended).size !== ended.length) problems.push('the end of a member was told twice')
  const last = events.at(-1)
  if (last?.event === 'RunCompleted' && last.result.content !== answerOf(events)) {
    problems.push(`the deltas give "${answerOf(events)}" and the result "${last.result.content}"`)
  }
  return problems
}
