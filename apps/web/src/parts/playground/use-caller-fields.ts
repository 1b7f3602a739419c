import { propertyOf } from '@troupe/contract'
import { useState } from 'react'
import { type ReadJson, readJsonObject } from '../../core/forms/read-json-object.ts'
import { sampleContext } from '../../core/tools/sample-context.ts'
import type { ConversationDesk } from './conversations/conversation-desk.ts'

/** The fields of a caller's request besides the message. */
export interface CallerFields {
  /** The entered tool context; null: the subject accepts none. It may have secrets, so no browser stores it. */
  context: string | null
  read: ReadJson
  userId: string
  /** The part of the request's body. */
  body: { tool_context?: Record<string, unknown>; user_id?: string }
  onContext(text: string): void
  onUserId(text: string): void
}

/**
 * The caller fields, kept while the page is open.
 *
 * @param config of the agent, whose tools define the keys; null: a team, which accepts no tool context
 */
export function useCallerFields(desk: ConversationDesk, config: object | null): CallerFields {
  const [, draw] = useState(0)
  const typed = desk.caller
  const change = (next: Partial<ConversationDesk['caller']>) => {
    desk.caller = { ...desk.caller, ...next }
    draw((count) => count + 1)
  }
  const context = config === null ? null : (typed.context ?? contextOf(config))
  const read = readJsonObject(context ?? '')
  // The sample shows the available keys; only entered values are sent.
  const isTyped = config !== null && typed.context !== null
  const userId = typed.userId.trim()
  const hasContext = isTyped && read.ok && Object.keys(read.value).length > 0
  return {
    context,
    read,
    userId: typed.userId,
    body: {
      ...(hasContext ? { tool_context: read.value } : {}),
      ...(userId === '' ? {} : { user_id: userId }),
    },
    onContext: (text) => change({ context: text }),
    onUserId: (text) => change({ userId: text }),
  }
}

/** The keys that the tools of a configuration read, each with an empty value; empty if no tool reads any. */
function contextOf(config: object): string {
  const tools = propertyOf(config, 'tools')
  const keys = Array.isArray(tools) ? Object.assign({}, ...tools.map(sampleContext)) : {}
  return Object.keys(keys).length === 0 ? '' : JSON.stringify(keys, null, 2)
}
