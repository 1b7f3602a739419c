import { createHash } from 'node:crypto'
import type { ModelReply } from '@troupe/test-kit/model-server'
import { BROKEN, broadcast, delegate, plan, review, route, type ScriptedTask } from './lead-decisions.ts'
import { lastMessage, purposeOf, type RecordedCall, toolOf } from './model-requests.ts'

/** Random choices derived from a text: the same prompt of the same role always gets the same reply. */
export class Chance {
  #state: number

  constructor(text: string) {
    this.#state = createHash('sha256').update(text).digest().readUInt32LE(0)
  }

  /** From 0 to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** From 0 to `below`, exclusive. */
  below(below: number): number {
    return Math.floor(this.next() * below)
  }

  of<T>(items: readonly [T, ...T[]] | readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  happens(probability: number): boolean {
    return this.next() < probability
  }
}

const WORDS = [
  'ja',
  'naïve',
  '€ 5',
  '😀😀',
  '[[',
  ']]',
  'line\n',
  '\n\n',
  '<task>',
  '"',
  '\\',
  'word',
  'ü',
  '  ',
  '0',
]

function words(chance: Chance): string {
  const text = Array.from({ length: 1 + chance.below(10) }, () => chance.of(WORDS)).join(' ')
  return `${text}.`
}

function spoken(chance: Chance, text = words(chance)): ModelReply {
  return {
    text,
    chunks: 1 + chance.below(6),
    ...(chance.happens(0.3) && { paceMs: 1 + chance.below(4) }),
    ...(chance.happens(0.2) && { headersDelayMs: chance.below(20) }),
  }
}

/** A failing attempt: before, at or after its first text. */
function failing(chance: Chance): ModelReply {
  return chance.of<ModelReply>([
    BROKEN,
    { text: '' },
    { ...spoken(chance), chunks: 3, breakAfter: chance.below(3) },
    { ...spoken(chance), chunks: 3, error: { after: chance.below(3), message: 'boom at host7' } },
  ])
}

function member(chance: Chance, call: RecordedCall): ModelReply {
  const steps = call.body.messages?.filter(({ role }) => role === 'tool').length ?? 0
  if (chance.happens(0.2)) return failing(chance)
  if (steps < 3 && chance.happens(0.2)) {
    const calls = Array.from({ length: 1 + chance.below(2) }, () => ({ name: 'lookup', arguments: {} }))
    return { ...(chance.happens(0.5) && spoken(chance)), toolCalls: calls }
  }
  if (chance.happens(0.05)) return { ...spoken(chance), finishReason: 'content_filter' }
  return spoken(chance)
}

function tasks(chance: Chance, keys: readonly string[]): ScriptedTask[] {
  return Array.from({ length: 1 + chance.below(3) }, (_, index) => ({
    id: `t${index + 1}`,
    assignee: chance.of(keys),
    description: `${words(chance)} (${index})`,
    depends_on: index > 0 && chance.happens(0.5) ? [`t${1 + chance.below(index)}`] : [],
  }))
}

/** The member names allowed in a decision. */
function keysOf(call: RecordedCall): string[] {
  return toolOf(call)?.parameters.properties?.member?.enum ?? ['m1', 'm2']
}

function reviewed(chance: Chance, call: RecordedCall): ModelReply {
  const completed = [...lastMessage(call).matchAll(/^\| (\S+) \| .+? \| completed \|/gm)].map(
    ([, id]) => id ?? '',
  )
  const failed = [...lastMessage(call).matchAll(/^\| (\S+) \| .+? \| failed \|/gm)].map(([, id]) => id ?? '')
  const verdict = chance.of(['complete', 'complete', 'continue', 'continue', 'impossible'] as const)
  return review(verdict, {
    evidence: chance.happens(0.8) ? completed : [],
    retry: failed.filter(() => chance.happens(0.6)).map((id) => ({ id })),
    cancel: failed.filter(() => chance.happens(0.2)),
    add: chance.happens(0.15) ? [{ id: 't9', assignee: 'm1' }] : [],
  })
}

function delegated(chance: Chance, call: RecordedCall): ModelReply {
  const isLast = call.body.tool_choice === 'none'
  const references = ['[[result:call_0_0]]', '[[result:call_9_9]]', '[[result', 'x [[result:call_0_0]]']
  const lines = [words(chance), ...references.filter(() => chance.happens(0.4)), words(chance)]
  if (isLast || chance.happens(0.4)) return spoken(chance, lines.join('\n'))
  const keys = [...keysOf(call), 'm9']
  const given = Array.from({ length: 1 + chance.below(3) }, (): [string, string] => [
    chance.of(keys),
    chance.of(['Look it up.', 'Write it.', words(chance)]),
  ])
  return { ...(chance.happens(0.4) && spoken(chance)), ...delegate(...given) }
}

/** A lead's response to a call, by its purpose. */
function lead(chance: Chance, call: RecordedCall): ModelReply {
  if (chance.happens(0.05)) return failing(chance)
  switch (purposeOf(call)) {
    case 'route':
      return chance.happens(0.15) ? spoken(chance) : route(chance.of([...keysOf(call), 'm9']), words(chance))
    case 'broadcast':
      return chance.happens(0.15) ? spoken(chance) : broadcast(words(chance))
    case 'delegate':
      return delegated(chance, call)
    case 'submit_plan':
      return chance.happens(0.1) ? spoken(chance) : plan(...tasks(chance, ['m1', 'm2']))
    case 'review':
      return chance.happens(0.1) ? spoken(chance) : reviewed(chance, call)
    default:
      return chance.happens(0.15) ? failing(chance) : spoken(chance)
  }
}

/** A team of models with random behaviour, reproducible by its seed. */
export function randomReply(seed: number, call: RecordedCall): ModelReply {
  const chance = new Chance(`${seed} ${call.body.model} ${JSON.stringify(call.body.messages)}`)
  if (call.body.model === 'spare') return purposeOf(call) === 'task' ? spoken(chance) : lead(chance, call)
  return call.body.model === 'lead' ? lead(chance, call) : member(chance, call)
}
