import { isJsonObject } from '@troupe/contract'
/** What a message asks the sandbox to do; null where it says nothing. */
export interface Directives {
  reply: string | null
  /** Milliseconds before the first token. */
  delayMs: number | null
  /** Milliseconds between words. */
  paceMs: number | null
  /** `times` is null when every call of the run fails. */
  fail: { status: number; times: number | null } | null
  /** Number of words after which the stream breaks. */
  breakAfter: number | null
  tools: { name: string; input: Record<string, unknown> }[]
  usage: { input: number; output: number } | null
}

const LONGEST_WAIT_MS = 600_000
const OPENING = /\[\[(reply|delay|pace|fail|break|tool|usage):\s*/g

/** Reads the directives of a text and returns them with the text that remains. Unknown or malformed ones stay text. */
export function parseDirectives(text: string): { directives: Directives; text: string } {
  const directives = noDirectives()
  let rest = ''
  let position = 0
  OPENING.lastIndex = 0
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const start = match.index
    const [, keyword = ''] = match
    const end = endOf(text, OPENING.lastIndex, keyword)
    if (end === null || !apply(directives, keyword, text.slice(OPENING.lastIndex, end).trim())) continue
    rest += text.slice(position, start).trimEnd()
    position = end + 2
    if (rest !== '' && /^[^\s.,;:!?]/.test(text.slice(position))) rest += ' '
    OPENING.lastIndex = position
  }
  return { directives, text: (rest + text.slice(position)).trim() }
}

/** Directives of a message and of the instructions together: the message wins, tools add up. */
export function mergeDirectives(first: Directives, second: Directives): Directives {
  return {
    reply: first.reply ?? second.reply,
    delayMs: first.delayMs ?? second.delayMs,
    paceMs: first.paceMs ?? second.paceMs,
    fail: first.fail ?? second.fail,
    breakAfter: first.breakAfter ?? second.breakAfter,
    tools: [...first.tools, ...second.tools],
    usage: first.usage ?? second.usage,
  }
}

function noDirectives(): Directives {
  return {
    reply: null,
    delayMs: null,
    paceMs: null,
    fail: null,
    breakAfter: null,
    tools: [],
    usage: null,
  }
}

/** Index of the closing `]]`. The JSON of a tool may itself contain `]]`, so its closing one is where the JSON parses. */
function endOf(text: string, from: number, kind: string): number | null {
  for (let end = text.indexOf(']]', from); end !== -1; end = text.indexOf(']]', end + 1)) {
    if (kind !== 'tool' || toolOf(text.slice(from, end).trim()) !== null) return end
  }
  return null
}

function toolOf(value: string): Directives['tools'][number] | null {
  const match = /^([\w.-]+)\s*([\s\S]*)$/.exec(value)
  if (match === null) return null
  try {
    const input: unknown = JSON.parse(match[2] || '{}')
    return isJsonObject(input) ? { name: match[1] ?? '', input } : null
  } catch {
    return null
  }
}

function apply(directives: Directives, kind: string, value: string): boolean {
  switch (kind) {
    case 'reply':
      directives.reply = value
      return true
    case 'delay':
    case 'pace': {
      if (!/^\d+$/.test(value)) return false
      directives[kind === 'delay' ? 'delayMs' : 'paceMs'] = Math.min(Number(value), LONGEST_WAIT_MS)
      return true
    }
    case 'break': {
      if (!/^\d+$/.test(value)) return false
      directives.breakAfter = Number(value)
      return true
    }
    case 'fail': {
      const match = /^([45]\d\d)(?:\s+x(\d+))?$/.exec(value)
      if (match === null) return false
      directives.fail = { status: Number(match[1]), times: match[2] === undefined ? null : Number(match[2]) }
      return true
    }
    case 'usage': {
      const match = /^(\d+)\s*\/\s*(\d+)$/.exec(value)
      if (match === null) return false
      directives.usage = { input: Number(match[1]), output: Number(match[2]) }
      return true
    }
    default: {
      const tool = toolOf(value)
      if (tool !== null) directives.tools.push(tool)
      return tool !== null
    }
  }
}
