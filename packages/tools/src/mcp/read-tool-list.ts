import { isJsonObject } from '@troupe/contract'
import type { HideTexts } from '../credentials/text-hider.ts'
import { McpFailure } from './client/mcp-failure.ts'
import type { McpSession } from './client/mcp-session.ts'
import { type ListedTools, ToolChecks } from './listed-tools.ts'

const MAX_PAGES = 20
const MAX_TOOLS = 256
const MAX_CURSOR = 10_000

/** One page of a list. */
interface Page {
  tools: readonly unknown[]
  /** null: this is the last one. */
  cursor: string | null
  /** Why what follows cannot be read; null when it can. */
  gap: string | null
}

function pageOf(result: unknown): Page {
  const { tools, nextCursor = null } = isJsonObject(result) ? result : {}
  if (!Array.isArray(tools)) throw new McpFailure('refused', 'Its answer has no list of tools.')
  // Servers send null and "" for the last page, although the specification has them leave the cursor out.
  if (nextCursor === null || nextCursor === '') return { tools, cursor: null, gap: null }
  if (typeof nextCursor === 'string' && nextCursor.length <= MAX_CURSOR)
    return { tools, cursor: nextCursor, gap: null }
  const wrong = typeof nextCursor === 'string' ? `has more than ${MAX_CURSOR} characters` : 'is not a text'
  return { tools, cursor: null, gap: `The cursor of its next page ${wrong}, so later tools are not read.` }
}

/**
 * Every tool that a server lists, in checked form.
 *
 * @throws McpFailure, and what the session throws
 */
export async function readToolList(
  session: McpSession,
  hide: HideTexts,
  signal: AbortSignal,
): Promise<ListedTools> {
  const checks = new ToolChecks(hide)
  const asked = new Set<string>()
  let cursor: string | null = null
  for (let page = 1; ; page += 1) {
    const params = cursor === null ? {} : { cursor }
    const { tools, cursor: next, gap } = pageOf(await session.request('tools/list', params, signal))
    const room = MAX_TOOLS - checks.seen
    await checks.add(tools.slice(0, room))
    if (tools.length > room) {
      return checks.result([`It lists more than ${MAX_TOOLS} tools, and later ones are not read.`])
    }
    if (next === null) return checks.result(gap === null ? [] : [gap])
    if (asked.has(next)) {
      return checks.result(['It gave the cursor of an earlier page again, so later tools are not read.'])
    }
    if (page === MAX_PAGES) {
      return checks.result([`Its list has more than ${MAX_PAGES} pages, and later ones are not read.`])
    }
    asked.add(next)
    cursor = next
  }
}
