import { isJsonObject, propertyOf, type ToolType } from '@troupe/contract'
import { TOOL_SETTING_WORDS, agentToolWords as words } from '../../../core/messages/en/agents/agent-tools.ts'

/** What a new tool of each kind starts with. */
const NEW_TOOLS: Readonly<Record<ToolType, Readonly<Record<string, unknown>>>> = {
  http: {
    type: 'http',
    name: 'look_up',
    description: '',
    method: 'GET',
    url: 'https://',
    input_schema: { type: 'object', properties: {}, required: [] },
  },
  openapi: { type: 'openapi', name: 'api', spec_url: 'https://' },
  mcp: { type: 'mcp' },
  builtin: { type: 'builtin', builtin: 'calculator' },
  workflow: { type: 'workflow', name: 'run_workflow', description: '' },
  agent: { type: 'agent', name: 'ask_agent', description: '' },
  code: {
    type: 'code',
    name: 'compute',
    description: '',
    source: 'export default (input) => ({ result: input })\n',
    input_schema: { type: 'object', properties: {} },
  },
}

/** What the server does where a key of a tool is absent. */
export function toolStandards(tool: unknown): Record<string, unknown> {
  const isRead = propertyOf(tool, 'type') === 'http' && propertyOf(tool, 'method') === 'GET'
  return { on_unavailable: 'skip', transport: 'streamable_http', idempotent: isRead }
}

export function isToolKind(kind: unknown): kind is ToolType {
  return typeof kind === 'string' && Object.hasOwn(NEW_TOOLS, kind)
}

/** A tool that is added, with a name that no other one has. */
export function newTool(kind: ToolType, others: readonly unknown[]): Record<string, unknown> {
  const tool = { ...NEW_TOOLS[kind] }
  const taken = new Set(others.map((other) => propertyOf(other, 'name') ?? propertyOf(other, 'builtin')))
  if (typeof tool.name !== 'string') return tool
  let name = tool.name
  for (let count = 2; taken.has(name); count += 1) name = `${tool.name}_${count}`
  return { ...tool, name }
}

/** The name of a tool in the list. */
export function toolTitle(tool: unknown): string {
  const name = propertyOf(tool, 'name') ?? propertyOf(tool, 'builtin')
  return typeof name === 'string' && name !== '' ? name : words.unnamed
}

/** What a tool does, in one line. */
export function toolSummary(tool: unknown): string {
  if (!isJsonObject(tool)) return ''
  const { description, method, url, spec_url: specUrl, type, prefix, builtin } = tool
  const builtins: Readonly<Record<string, { detail?: string }>> = TOOL_SETTING_WORDS.builtin.choices ?? {}
  const texts = [
    description,
    typeof builtin === 'string' ? builtins[builtin]?.detail : undefined,
    url && method ? `${method} ${url}` : url,
    specUrl,
    prefix,
  ]
  const text = texts.find((one) => typeof one === 'string' && one !== '')
  if (typeof text === 'string') return text
  return isToolKind(type) ? words.kinds[type].detail : ''
}
