import type { LeftOut, ListedTool, ListedTools } from './listed-tools.ts'

const NAME = /^[a-zA-Z0-9_./-]{1,128}$/
const MAX_NAME = 64

/** A tool that an agent gets, under the name that its model sees. */
export interface OfferedTool extends ListedTool {
  shownName: string
}

/** The tools of a server that an agent gets. */
export interface ToolSelection {
  allow?: readonly string[]
  deny?: readonly string[]
  prefix: string
}

/** The tools of a server that an agent gets, and those that cannot be offered. */
export function offeredTools(
  listed: Pick<ListedTools, 'tools' | 'leftOut'>,
  { allow, deny = [], prefix }: ToolSelection,
): { tools: OfferedTool[]; leftOut: LeftOut[] } {
  const allowed = allow && new Set(allow)
  const denied = new Set(deny)
  const isChosen = ({ name }: { name: string }) => (!allowed || allowed.has(name)) && !denied.has(name)
  const tools = new Map<string, OfferedTool>()
  const leftOut = listed.leftOut.filter(isChosen)
  for (const tool of listed.tools.filter(isChosen)) {
    const { name } = tool
    const shownName = shownNameOf(prefix, name)
    const reason = faultOf(name, shownName, tools)
    if (reason === null) {
      tools.set(shownName, { ...tool, shownName })
    } else leftOut.push({ name: name.slice(0, MAX_NAME), reason })
  }
  return { tools: [...tools.values()], leftOut }
}

function faultOf(name: string, shownName: string, earlier: ReadonlyMap<string, unknown>): string | null {
  if (!NAME.test(name) || shownName.length > MAX_NAME)
    return 'Its name is too long or has unsupported characters.'
  return earlier.has(shownName) ? `Another tool is also named ${shownName}.` : null
}

/** The name of a tool for models. */
export function shownNameOf(prefix: string, name: string): string {
  return `${prefix}_${name.slice(0, MAX_NAME).replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`
}

/** The name of a server as a prefix of its tools. */
export function prefixOf(name: string): string {
  const prefix = name.slice(0, 32).replaceAll(/[^a-zA-Z0-9_-]/g, '_')
  return /^[a-zA-Z_]/.test(prefix) ? prefix : `_${prefix}`
}
