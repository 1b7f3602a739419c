import { isJsonObject, propertyOf } from '@troupe/contract'
import type { Recording } from './recordings.ts'

/**
 * The documented rules for requests of each protocol, as enforced by the services. Sources: the section of the protocol in
 * `docs/compatibility.md`.
 *
 * @returns one sentence for each broken rule
 */
export function brokenRules(recording: Recording, body: Record<string, unknown>): string[] {
  return [...protocolRules(recording, body), ...stateRules(recording, body)]
}

/** Fields by which a provider recognises its own step: they must be returned with the calls of that step, unchanged. */
const STATE: Partial<Record<Recording['protocol'], { field: string; within: RegExp }>> = {
  // https://docs.claude.com/en/docs/build-with-claude/extended-thinking#preserving-thinking-blocks
  messages: { field: 'signature', within: /^(?:thinking|signature_delta)$/ },
  // https://ai.google.dev/gemini-api/docs/thought-signatures
  gemini: { field: 'thoughtSignature', within: /^(?:)$/ },
  // https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items
  responses: { field: 'encrypted_content', within: /^reasoning$/ },
}

function stateRules({ protocol, events }: Recording, body: Record<string, unknown>): string[] {
  const state = STATE[protocol]
  const sent = JSON.stringify(body)
  // Only a request with a recorded call contains the step of that call.
  if (state === undefined || !/"(?:tool_use|functionCall|function_call)"/.test(sent)) return []
  // The service re-encrypts an item in each event: the completed one must be sent back.
  const others = new Set(['response.output_item.added', 'response.completed'])
  const done = events.filter((event) => !others.has(String(at(event, 'type'))))
  const found = textsOf(done, state.field, state.within)
  return [...new Set(found)]
    .filter((text) => !sent.includes(JSON.stringify(text)))
    .map((text) => `\`${state.field}\` of the step is lost: ${text.slice(0, 20)}…`)
}

/** The texts of a field, in objects whose type matches. */
function textsOf(value: unknown, field: string, within: RegExp): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, field, within))
  if (!isJsonObject(value)) return []
  const text = value[field]
  const isHere = typeof text === 'string' && text !== '' && within.test(String(value.type ?? ''))
  return [...(isHere ? [text] : []), ...textsOf(Object.values(value), field, within)]
}

function protocolRules(recording: Recording, body: Record<string, unknown>): string[] {
  switch (recording.protocol) {
    case 'chat':
      return chatRules(recording, body)
    case 'responses':
      return responsesRules(body)
    case 'messages':
      return messagesRules(body)
    case 'gemini':
      return geminiRules(body)
    case 'converse':
      return converseRules(body)
  }
}

const at = propertyOf
const list = (value: unknown, name: string): unknown[] => {
  const found = at(value, name)
  return Array.isArray(found) ? found : []
}
const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''

function toolNames(names: unknown[]): string[] {
  return names
    .filter((name) => typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    .map((name) => `the tool name ${JSON.stringify(name)} has other characters than letters, digits, _ and -`)
}

/** Every call has one result, directly after it, and there are no other results. */
function answered(turns: { calls: string[]; results: string[] }[]): string[] {
  const broken: string[] = []
  let open: string[] = []
  for (const { calls, results } of turns) {
    for (const id of results) {
      if (!open.includes(id)) broken.push(`a result has the id ${id}, which no call before it has`)
      open = open.filter((one) => one !== id)
    }
    if (calls.length === 0 && results.length > 0) continue
    if (open.length > 0) broken.push(`the call ${open.join(', ')} has no result`)
    open = calls
  }
  if (open.length > 0) broken.push(`the call ${open.join(', ')} has no result at the end`)
  return broken
}

function chatRules({ providerId, events }: Recording, body: Record<string, unknown>): string[] {
  const broken = toolNames(list(body, 'tools').map((tool) => at(at(tool, 'function'), 'name')))
  if (body.stream !== true) broken.push('it asks for no stream')
  const messages = list(body, 'messages')
  const turns: { calls: string[]; results: string[] }[] = []
  const thinks = JSON.stringify(events).includes('"reasoning_content":"')
  const isDeepSeek = JSON.stringify(events).includes('"model":"deepseek')
  for (const message of messages) {
    const content = at(message, 'content')
    const calls = list(message, 'tool_calls')
    const ids = calls.map((call) => String(at(call, 'id')))
    const role = at(message, 'role')
    if (
      role !== 'tool' &&
      isBlank(content) &&
      !(role === 'assistant' && content === '' && calls.length > 0)
    ) {
      broken.push(`a message of the role ${role} is blank`)
    }
    if (isBlank(at(content, '0') && at(at(content, '0'), 'text'))) broken.push('a part of a message is blank')
    if (providerId === 'mistral') {
      for (const id of ids)
        if (!/^[a-zA-Z0-9]{9}$/.test(id)) broken.push(`the id ${id} has not nine letters or digits`)
    }
    for (const call of calls) {
      const text = at(at(call, 'function'), 'arguments')
      if (typeof text !== 'string' || !isObjectText(text)) broken.push('arguments are no JSON object')
    }
    if (isDeepSeek && thinks && calls.length > 0 && !at(message, 'reasoning_content')) {
      broken.push('the reasoning of a call is missing (`reasoning_content`)')
    }
    const id = at(message, 'tool_call_id')
    turns.push({ calls: ids, results: role === 'tool' ? [String(id)] : [] })
  }
  return [...broken, ...answered(merged(turns))]
}

/** Adjacent results as one turn. */
function merged(turns: { calls: string[]; results: string[] }[]) {
  const all: { calls: string[]; results: string[] }[] = []
  for (const turn of turns) {
    const last = all.at(-1)
    if (last && last.results.length > 0 && turn.results.length > 0) last.results.push(...turn.results)
    else all.push({ calls: [...turn.calls], results: [...turn.results] })
  }
  return all
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text))
  } catch {
    return false
  }
}

function responsesRules(body: Record<string, unknown>): string[] {
  const broken = toolNames(list(body, 'tools').map((tool) => at(tool, 'name')))
  if (body.store !== false) broken.push('it lets the conversation be stored')
  const open = new Set<string>()
  for (const item of list(body, 'input')) {
    const type = at(item, 'type')
    if (type === 'item_reference') broken.push('it refers to an item that is not stored')
    if (type === 'reasoning' && typeof at(item, 'encrypted_content') !== 'string') {
      broken.push('reasoning comes back without its encrypted content, and is not stored')
    }
    if (type === 'function_call') open.add(String(at(item, 'call_id')))
    if (type === 'function_call_output' && !open.delete(String(at(item, 'call_id')))) {
      broken.push('a result has no call')
    }
    for (const part of list(item, 'content')) if (isBlank(at(part, 'text'))) broken.push('a part is blank')
  }
  if (open.size > 0) broken.push(`the call ${[...open].join(', ')} has no result`)
  return broken
}

function messagesRules(body: Record<string, unknown>): string[] {
  const broken = toolNames(list(body, 'tools').map((tool) => at(tool, 'name')))
  if (typeof body.max_tokens !== 'number') broken.push('`max_tokens` is missing')
  const messages = list(body, 'messages')
  broken.push(
    ...roles(
      messages.map((message) => at(message, 'role')),
      'user',
    ),
  )
  for (const block of list(body, 'system'))
    if (isBlank(at(block, 'text'))) broken.push('system text is blank')
  const turns = messages.map((message) => {
    const blocks = list(message, 'content')
    for (const block of blocks) {
      if (at(block, 'type') === 'text' && isBlank(at(block, 'text'))) broken.push('a text block is blank')
      if (at(block, 'type') === 'thinking' && !at(block, 'signature'))
        broken.push('thinking has no signature')
      const id = at(block, 'id')
      if (typeof id === 'string' && !/^[a-zA-Z0-9_-]+$/.test(id)) broken.push(`the id ${id} is not allowed`)
    }
    const of = (type: string, name: string) =>
      blocks.filter((block) => at(block, 'type') === type).map((block) => String(at(block, name)))
    return { calls: of('tool_use', 'id'), results: of('tool_result', 'tool_use_id') }
  })
  const last = list(messages.at(-1), 'content').at(-1)
  if (at(messages.at(-1), 'role') === 'assistant' && /\s$/.test(String(at(last, 'text')))) {
    broken.push('the last text of the assistant ends with white space')
  }
  return [...broken, ...answered(turns)]
}

function roles(given: unknown[], first: string): string[] {
  const broken = given[0] === first ? [] : [`the first role is ${given[0]}`]
  for (let at = 1; at < given.length; at += 1) {
    if (given[at] === given[at - 1]) broken.push(`two messages of the role ${given[at]} follow each other`)
  }
  return broken
}

function geminiRules(body: Record<string, unknown>): string[] {
  const contents = list(body, 'contents')
  const broken = roles(
    contents.map((content) => at(content, 'role')),
    'user',
  )
  let open: string[] = []
  for (const content of contents) {
    const parts = list(content, 'parts')
    if (parts.length === 0) broken.push('a content has no parts')
    for (const part of parts)
      if (isBlank(at(part, 'text')) && !at(part, 'thoughtSignature')) broken.push('a text is blank')
    const names = (name: string) =>
      parts.map((part) => at(at(part, name), 'name')).filter((one) => typeof one === 'string')
    const results = names('functionResponse')
    if (open.toSorted().join() !== results.toSorted().join()) broken.push('calls and their results differ')
    open = names('functionCall')
  }
  if (open.length > 0) broken.push('a call has no result')
  return broken
}

function converseRules(body: Record<string, unknown>): string[] {
  const messages = list(body, 'messages')
  const broken = roles(
    messages.map((message) => at(message, 'role')),
    'user',
  )
  for (const block of list(body, 'system'))
    if (isBlank(at(block, 'text'))) broken.push('system text is blank')
  const turns = messages.map((message) => {
    const blocks = list(message, 'content')
    if (blocks.length === 0) broken.push('a message has no content')
    for (const block of blocks) if (isBlank(at(block, 'text'))) broken.push('a text block is blank')
    const ids = (name: string) =>
      blocks.map((block) => at(at(block, name), 'toolUseId')).filter((id) => typeof id === 'string')
    return { calls: ids('toolUse'), results: ids('toolResult') }
  })
  return [...broken, ...answered(turns)]
}
