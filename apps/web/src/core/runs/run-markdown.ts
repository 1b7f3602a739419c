import type { RunDetail } from '@troupe/contract/builder'
import { money, wholeNumber } from '../format/numbers.ts'
import { duration, fullTime } from '../format/times.ts'
import { runWords as words } from '../messages/en/runs.ts'
import { traceSteps } from './trace.ts'

/** A fence that no line of the text closes. */
function fenced(text: string, language = ''): string {
  let longest = 2
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** One line without a meaning in Markdown. */
const inline = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/([\\`*_[\]<>|#])/g, '\\$1')

/** A run as Markdown, to paste into an issue or a chat: its outcome, facts, texts and steps. */
export function runMarkdown(run: RunDetail, url: string): string {
  const { entity, kind, status, durationMs, error, runId, versionNumber, createdAt, source } = run
  const name = entity.name ?? words.kind[kind]
  const took = durationMs === null ? null : duration(durationMs)
  const facts = [
    [words.id, `\`${runId}\``],
    [words.started, fullTime(createdAt)],
    [words.source, words.sources[source]],
    ...(versionNumber === null ? [] : [[words.version, String(versionNumber)]]),
    ...(run.inputTokens === null
      ? []
      : [[words.tokens, `${wholeNumber(run.inputTokens)} + ${wholeNumber(run.outputTokens ?? 0)}`]]),
    [words.cost, money(run.costUsd)],
  ].map(([fact, value]) => `- ${fact}: ${value}`)
  const parts = [
    `## ${inline(words.verdict(name, words.statuses[status], took))}`,
    [...facts, `- ${url}`].join('\n'),
    ...(error ? [`### ${words.error}`, fenced([error.code, error.message].filter(Boolean).join(': '))] : []),
    ...agentParts(run),
    ...workflowParts(run),
  ]
  return `${parts.join('\n\n')}\n`
}

function agentParts(run: RunDetail): string[] {
  const { agentRun } = run
  if (!agentRun) return []
  const steps = traceSteps(run).map(({ depth, title, detail, durationMs, error, why }) => {
    const facts = [detail, durationMs === null ? null : duration(durationMs), error].filter(
      (one) => one !== null,
    )
    return `${'  '.repeat(depth)}- **${inline(title)}** (${inline(facts.join(', '))}): ${inline(why)}`
  })
  return [
    ...(agentRun.input === null ? [] : [`### ${words.input}`, fenced(agentRun.input)]),
    ...(agentRun.content === null ? [] : [`### ${words.answer}`, fenced(agentRun.content)]),
    ...(steps.length === 0 ? [] : [`### ${words.steps}`, steps.join('\n')]),
  ]
}

function workflowParts({ workflowRun }: RunDetail): string[] {
  if (!workflowRun) return []
  const json = (value: unknown) => fenced(JSON.stringify(value ?? null, null, 2), 'json')
  const nodes = workflowRun.nodes.map(({ name, path, type, status, error }) => {
    const place = path === '' ? '' : ` ${path}`
    return `- **${inline(name)}**${inline(place)} (${inline(type)}, ${status})${error === null ? '' : `: ${inline(error)}`}`
  })
  return [
    `### ${words.input}`,
    json(workflowRun.input),
    `### ${words.nodes}`,
    nodes.join('\n'),
    `### ${words.output}`,
    json(workflowRun.output),
  ]
}
