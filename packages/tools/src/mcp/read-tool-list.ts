import { isJsonObject } from '@troupe/contract'
import type { HideTexts } from '../credentials/text-hider.ts'
import { McpFailure, RpcError } from './client/mcp-failure.ts'
import type { McpSession } from './client/mcp-session.ts'
import { type ListedTools, ToolChecks } from './listed-tools.ts'

const MAX_PAGES = 20
const MAX_CURSOR = 10_000

/** One page of a list. */
interface Page {
  tools: readonly unknown[]
  /** null: the last page. */
  cursor: string | null
  /** Why the rest cannot be read; null if it can. */
  gap: string | null
}

function pageOf(result: unknown): Page {
  const { tools, nextCursor = null } = isJsonObject(result) ? result : {}
  if (!Array.isArray(tools)) throw new McpFailure('refused', 'Its answer has no list of tools.')
  // Servers send null for the last page, although the specification requires omitting the cursor.
  if (nextCursor === null) return { tools, cursor: null, gap: null }
  if (typeof nextCursor === 'string' && nextCursor.length <= MAX_CURSOR) {
    return { tools, cursor: nextCursor, gap: null }
  }
  const wrong = typeof nextCursor === 'string' ? `has more than ${MAX_CURSOR} characters` : 'is not a text'
  return { tools, cursor: null, gap: `The cursor of its next page ${wrong}, so later tools are not read.` }
}

/**
 * The page after a cursor. By the specification, an empty text is a cursor, but some servers send it for the last page
 * and then refuse it.
 */
async function pageBehind(session: McpSession, cursor: string | null, signal: AbortSignal): Promise<Page> {
  try {
    return pageOf(await session.request('tools/list', cursor === null ? {} : { cursor }, signal))
  } catch (error) {
    if (cursor === '' && error instanceof RpcError) return { tools: [], cursor: null, gap: null }
    throw error
  }
}

/**
 * Every tool that a server lists, validated.
 *
 * @throws McpFailure, and errors of the session
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
    const { tools, cursor: next, gap } = await pageBehind(session, cursor, signal)
    const known = checks.seen
    if (!(await checks.add(tools))) {
      return checks.result([`It lists more than ${checks.seen} tools, and later ones are not read.`])
    }
    // An empty cursor that leads to nothing new was the end.
    const isEnd = next === null || (next === '' && cursor === '' && checks.seen === known)
    if (isEnd) return checks.result(gap === null ? [] : [gap])
    if (asked.has(next)) {
      return checks.result(['It returned the cursor of an earlier page, so its list may be incomplete.'])
    }
    if (page === MAX_PAGES) {
      return checks.result([`Its list has more than ${MAX_PAGES} pages, and later ones are not read.`])
    }
    asked.add(next)
    cursor = next
  }
}
