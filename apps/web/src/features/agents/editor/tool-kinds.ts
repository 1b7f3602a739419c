import { isJsonObject, propertyOf, type ToolType } from '@troupe/contract'
import { TOOL_SETTING_WORDS, agentToolWords as words } from '../../../core/messages/en/agents/agent-tools.ts'

type Settings = Readonly<Partial<Record<ToolType, Readonly<Record<string, unknown>>>>>

/** The first settings of a new tool of a kind, beside its type, its name and an empty description. */
const FIRST_SETTINGS: Settings = {
  http: {
    name: 'look_up',
    method: 'GET',
    url: 'https://',
    input_schema: { type: 'object', properties: {}, required: [] },
  },
  workflow: { name: 'run_workflow' },
  agent: { name: 'ask_agent' },
  code: {
    name: 'compute',
    source: 'export default (input) => ({ result: input })\n',
    input_schema: { type: 'object', properties: {} },
  },
}

/** New tools of kinds whose tools are named and described elsewhere. */
const DESCRIBED_ELSEWHERE: Settings = {
  openapi: { type: 'openapi', name: 'api', spec_url: 'https://' },
  mcp: { type: 'mcp' },
  builtin: { type: 'builtin', builtin: 'calculator' },
}

/** The server's default for an absent key of a tool. */
export function toolStandards(tool: unknown): Record<string, unknown> {
  const isRead = propertyOf(tool, 'type') === 'http' && propertyOf(tool, 'method') === 'GET'
  return { on_unavailable: 'skip', transport: 'streamable_http', idempotent: isRead }
}

export function isToolKind(kind: unknown): kind is ToolType {
  return typeof kind === 'string' && Object.hasOwn(words.kinds, kind)
}

/** A new tool with an unused name. */
export function newTool(kind: ToolType, others: readonly unknown[]): Record<string, unknown> {
  const tool: Record<string, unknown> = {
    ...(DESCRIBED_ELSEWHERE[kind] ?? { type: kind, name: kind, description: '', ...FIRST_SETTINGS[kind] }),
  }
  const taken = new Set(others.map((other) => propertyOf(other, 'name') ?? propertyOf(other, 'builtin')))
  if (typeof tool.name !== 'string') return tool
  let name = tool.name
  for (let count = 2; taken.has(name); count += 1) name = `${tool.name}_${count}`
  return { ...tool, name }
}

/** A registered server referenced by a tool. */
export interface ServerOfTool {
  name: string
  /** The last known names of its tools. */
  tools: readonly string[]
}

/** The name of a tool in the list. @param server undefined: none is referenced, or it is unknown */
export function toolTitle(tool: unknown, server?: ServerOfTool): string {
  if (propertyOf(tool, 'type') === 'mcp') {
    const names = [propertyOf(tool, 'name'), server?.name, hostOf(propertyOf(tool, 'url'))]
    return String(names.find((name) => typeof name === 'string' && name !== '') ?? words.kinds.mcp.label)
  }
  const name = propertyOf(tool, 'name') ?? propertyOf(tool, 'builtin')
  return typeof name === 'string' && name !== '' ? name : words.unnamed
}

function hostOf(address: unknown): string | null {
  return typeof address === 'string' ? (URL.parse(address)?.host ?? null) : null
}

/** The number of a server's tools available to an agent. */
function toolsOfServer(tool: unknown, { tools }: ServerOfTool): string {
  const [allow, deny] = [propertyOf(tool, 'allow'), propertyOf(tool, 'deny')]
  const used = tools.filter(
    (name) =>
      (!Array.isArray(allow) || allow.includes(name)) && !(Array.isArray(deny) && deny.includes(name)),
  )
  return words.serverTools(used.length, tools.length)
}

/** The purpose of a tool, in one line. @param server as for its title */
export function toolSummary(tool: unknown, server?: ServerOfTool): string {
  if (!isJsonObject(tool)) return ''
  const { description, method, url, spec_url: specUrl, type, prefix, builtin } = tool
  const builtins: Readonly<Record<string, { detail?: string }>> = TOOL_SETTING_WORDS.builtin.choices ?? {}
  const texts = [
    description,
    server && toolsOfServer(tool, server),
    typeof builtin === 'string' ? builtins[builtin]?.detail : undefined,
    url && method ? `${method} ${url}` : url,
    specUrl,
    prefix,
  ]
  const text = texts.find((one) => typeof one === 'string' && one !== '')
  if (typeof text === 'string') return text
  return isToolKind(type) ? words.kinds[type].detail : ''
}
