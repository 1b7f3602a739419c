import { AGENT_CONFIG_DEFAULTS, type AgentConfig } from '@troupe/contract'
import { expect, test } from 'vitest'
import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { HistoryRun } from '../ports/session-state.ts'
import { buildPrompt } from './prompt.ts'

function agent(change: (config: AgentConfig) => void): AgentSnapshot {
  const config = structuredClone(AGENT_CONFIG_DEFAULTS)
  change(config)
  return { name: 'Ada', config } as AgentSnapshot
}

function prompt(options: {
  change?: (config: AgentConfig) => void
  history?: HistoryRun[]
  summary?: string
  skills?: string
}) {
  return buildPrompt({
    agent: agent(options.change ?? (() => {})),
    history: options.history ?? [],
    summary: options.summary ?? null,
    skills: options.skills ?? '',
    message: 'now',
    now: Date.parse('2026-01-02T03:04:05Z'),
  })
}

const text = (message: ReturnType<typeof prompt>[number] | undefined) =>
  typeof message?.content === 'string'
    ? message.content
    : message?.content.map((part) => 'text' in part && part.text).join()

test('an agent without instructions sends no system message', () => {
  expect(prompt({}).map((message) => message.role)).toEqual(['user'])
})

test("the clock comes last, in the agent's time zone, so that the prefix stays the same", () => {
  const [system] = prompt({
    change: (config) => {
      config.instructions = 'Be kind.'
      config.prompt = {
        add_agent_name: true,
        add_datetime: true,
        timezone: 'Asia/Tokyo',
        expected_output: 'A poem',
      }
    },
    summary: 'They met.',
  })
  expect(text(system)).toBe(
    'Be kind.\n\nYour name is Ada.\n\n<expected_output>\nA poem\n</expected_output>\n\n<conversation_summary>\n' +
      'May be outdated; newer messages win.\nThey met.\n</conversation_summary>\n\n' +
      'The current time is 2026-01-02T12:04:05 (Asia/Tokyo).',
  )
})

test('roles alternate and no text is empty, for any history', () => {
  const history: HistoryRun[] = [
    { seq: 1, status: 'completed', input: 'a', content: 'A', answeredBy: null },
    { seq: 2, status: 'cancelled', input: 'b', content: null, answeredBy: null },
    { seq: 3, status: 'cancelled', input: 'c', content: 'part', answeredBy: null },
  ]
  const messages = prompt({ history })
  expect(messages.map((message) => message.role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
  ])
  expect(messages.map(text)).toEqual([
    'a',
    'A',
    'b',
    '(stopped by the user)',
    'c',
    'part (stopped by the user)',
    'now',
  ])
})
