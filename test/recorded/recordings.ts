import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ProviderId } from '@troupe/contract'
import { isJsonObject, propertyOf } from '@troupe/contract'
import { type Framing, framed } from '@troupe/test-kit/provider-streams'

/** The protocols of recordings. */
export type Protocol = 'chat' | 'responses' | 'messages' | 'gemini' | 'converse'

/** One recorded response of a real service. */
export interface Recording {
  /** `anthropic/anthropic-text.chunks.txt`. */
  name: string
  protocol: Protocol
  providerId: ProviderId
  settings: Record<string, unknown>
  /** The events of a stream, or the single body of another response. */
  events: unknown[]
  isStream: boolean
  /** Whether a line of the recording is not JSON. */
  isDamaged: boolean
  /** The bytes in the format of the service. */
  body: Uint8Array
  contentType: string
}

/** A skipped file, with the reason. */
export interface Skipped {
  name: string
  reason: string
}

const FRAMINGS: Record<Protocol, Framing> = {
  chat: 'data',
  gemini: 'data',
  responses: 'named',
  messages: 'named',
  converse: 'event-stream',
}

/** All recordings below a folder: `providers/<package>/<file>`, or `packages/<package>/src/…/__fixtures__/<file>`. */
export function readRecordings(folder: string): { recordings: Recording[]; skipped: Skipped[] } {
  const recordings: Recording[] = []
  const skipped: Skipped[] = []
  for (const path of globSync('**/*.{chunks.txt,json}', { cwd: folder }).toSorted()) {
    const [, pack = ''] = /(?:^|\/)(?:providers|packages)\/([^/]+)\//.exec(`/${path}`) ?? []
    const name = `${pack}/${basename(path)}`
    const found = recordingOf(readFileSync(join(folder, path), 'utf8'), pack, path)
    if (typeof found === 'string') skipped.push({ name, reason: found })
    else recordings.push({ name, ...found })
  }
  return { recordings, skipped }
}

function recordingOf(text: string, pack: string, path: string): Omit<Recording, 'name'> | string {
  const isStream = path.endsWith('.chunks.txt')
  const lines = isStream ? text.split('\n').filter((line) => line.trim() !== '') : [text]
  const parsed = lines.map(parsedLine)
  const events = parsed.filter((event) => event !== undefined)
  if (!isStream && isJsonObject(propertyOf(events[0], 'error'))) return 'an error'
  const protocol = protocolOf(events)
  if (protocol === null) return 'no answer of a protocol that Troupe speaks'
  const foreign = foreignCall(events)
  if (foreign !== null) return `it calls a tool of the type ${foreign}, which Troupe does not offer`
  const target = targetOf(pack, protocol)
  const frames = isStream ? parsed.map((event, index) => frameOf(protocol, event, lines[index] ?? '')) : []
  if (protocol === 'chat') frames.push(Buffer.from('data: [DONE]\n\n'))
  const body = isStream ? Buffer.concat(frames) : Buffer.from(text)
  const streamType = protocol === 'converse' ? 'application/vnd.amazon.eventstream' : 'text/event-stream'
  const contentType = isStream ? streamType : 'application/json'
  return {
    ...target,
    protocol,
    events: firstAnswer(events),
    isDamaged: events.length < lines.length,
    isStream,
    body,
    contentType,
  }
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** A line that is not JSON is sent as recorded. */
function frameOf(protocol: Protocol, event: unknown, line: string): Uint8Array {
  if (event === undefined) return Buffer.from(`data: ${line}\n\n`)
  return Buffer.concat(framed(FRAMINGS[protocol], [event], false))
}

/** Some files hold several responses, one after the other: everything after the first is ignored. */
function firstAnswer(events: readonly unknown[]): unknown[] {
  const end = events.findIndex((event) => propertyOf(event, 'type') === 'message_stop')
  return end === -1 ? [...events] : events.slice(0, end + 1)
}

/** Types of output that are calls for the client of the provider's own tools. */
const FOREIGN_CALLS = new Set([
  ...['apply_patch_call', 'custom_tool_call', 'local_shell_call', 'shell_call', 'tool_search_call'],
  ...['computer_call', 'mcp_approval_request'],
])

function foreignCall(events: readonly unknown[]): string | null {
  for (const event of events) {
    const output = propertyOf(event, 'output')
    for (const item of [propertyOf(event, 'item'), ...(Array.isArray(output) ? output : [])]) {
      const type = String(propertyOf(item, 'type'))
      if (FOREIGN_CALLS.has(type)) return type
    }
  }
  return null
}

function protocolOf(events: readonly unknown[]): Protocol | null {
  for (const event of events) {
    const type = String(propertyOf(event, 'type') ?? '')
    const object = propertyOf(event, 'object')
    if (object === 'text_completion') return null
    if (Array.isArray(propertyOf(event, 'choices'))) return 'chat'
    if (type.startsWith('response.')) return 'responses'
    if (object === 'response') return Array.isArray(propertyOf(event, 'output')) ? 'responses' : null
    if (type === 'message_start') return 'messages'
    if (type === 'message' && Array.isArray(propertyOf(event, 'content'))) return 'messages'
    if (Array.isArray(propertyOf(event, 'candidates'))) return 'gemini'
    if (isJsonObject(event) && /^(?:message|contentBlock)/.test(Object.keys(event)[0] ?? ''))
      return 'converse'
    if (propertyOf(event, 'stopReason') !== undefined) return 'converse'
  }
  return null
}

const CHAT = { api: 'chat' }

function targetOf(pack: string, protocol: Protocol): Pick<Recording, 'providerId' | 'settings'> {
  switch (protocol) {
    case 'messages':
      return { providerId: 'anthropic', settings: {} }
    case 'gemini':
      return { providerId: 'google', settings: {} }
    case 'converse':
      return { providerId: 'amazon-bedrock', settings: { region: 'eu-west-1' } }
    case 'responses':
      if (pack === 'azure') return { providerId: 'azure-openai', settings: {} }
      return { providerId: pack === 'xai' ? 'xai' : 'openai', settings: {} }
    case 'chat':
      if (pack === 'azure') return { providerId: 'azure-openai', settings: CHAT }
      if (pack === 'openai') return { providerId: 'openai', settings: CHAT }
      if (pack === 'groq' || pack === 'mistral') return { providerId: pack, settings: {} }
      return { providerId: 'openai-compatible', settings: {} }
  }
}
