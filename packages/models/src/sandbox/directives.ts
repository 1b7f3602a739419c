import { type AskedTool, ToolDirectives } from './tool-directives.ts'

/** The directives of a message; null for each one that is absent. */
export interface Directives {
  reply: string | null
  /** Milliseconds before the first token. */
  delayMs: number | null
  /** Milliseconds between words. */
  paceMs: number | null
  /** `times` is null if every call of the run fails. */
  fail: { status: number; times: number | null } | null
  /** Number of words after which the stream breaks. */
  breakAfter: number | null
  tools: AskedTool[]
  usage: { input: number; output: number } | null
}

const LONGEST_WAIT_MS = 600_000
const OPENING = /\[\[(reply|delay|pace|fail|break|tool|usage):\s*/g
/** Maximum length of a directive's value that is a number, a status or a usage. */
const MAX_VALUE = 64

/**
 * Reads the directives of a text and returns them with the text that remains. Unknown or malformed ones stay text. Takes
 * time linear in the text.
 */
export function parseDirectives(text: string): { directives: Directives; text: string } {
  const directives = noDirectives()
  const tools = new ToolDirectives(text)
  const lastClosing = text.lastIndexOf(']]')
  let rest = ''
  let position = 0
  OPENING.lastIndex = 0
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const [opening, kind = ''] = match
    const from = match.index + opening.length
    if (from > lastClosing) break
    const end = kind === 'tool' ? tools.read(from, directives.tools) : readValue(text, from, kind, directives)
    if (end === null) continue
    rest += text.slice(position, match.index).trimEnd()
    position = end + 2
    if (rest !== '' && /^[^\s.,;:!?]/.test(text.charAt(position))) rest += ' '
    OPENING.lastIndex = position
  }
  return { directives, text: (rest + text.slice(position)).trim() }
}

/**
 * The directives of a message and of the instructions, combined: the message takes precedence, and tools are added up.
 */
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

/**
 * The index of the `]]` of a valid directive; null for one that stays text. A reply ends at the first `]]` at any
 * distance; other values have a length limit, so that unclosed openings cost nothing.
 */
function readValue(text: string, from: number, kind: string, directives: Directives): number | null {
  const within = kind === 'reply' ? text : text.slice(0, from + MAX_VALUE)
  const end = within.indexOf(']]', from)
  if (end === -1) return null
  return apply(directives, kind, text.slice(from, end).trim()) ? end : null
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
    default:
      return false
  }
}
