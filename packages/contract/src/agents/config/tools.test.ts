import { expect, test } from 'vitest'
import { isJsonObject, propertyOf } from '../../schema/json-object.ts'
import { mergeAgentConfig } from './check.ts'
import { TOOL_SCHEMAS, type ToolType } from './tools.ts'

const UUID = '3f0c1c7e-6a0e-4b7e-9d5a-0a6f4b1c2d3e'
/** For types that require more than their required fields, or whose texts are addresses. */
const SMALLEST: Partial<Record<ToolType, Record<string, unknown>>> = {
  http: {
    method: 'GET',
    url: 'https://example.com/{{ context.customer_id }}',
    context_keys: [{ key: 'customer_id' }],
  },
  openapi: { spec_url: 'https://example.com/openapi.json' },
  mcp: { url: 'https://example.com/mcp' },
}

/** The smallest value of a required field. */
function smallestValue(schema: unknown): unknown {
  const { enum: choices, format, minimum, type } = isJsonObject(schema) ? schema : {}
  if (Array.isArray(choices)) return choices[0]
  if (type === 'string') return format === 'uuid' ? UUID : 'x'
  return type === 'integer' || type === 'number' ? (minimum ?? 0) : {}
}

function requiredFields(type: ToolType): Record<string, unknown> {
  const { properties, required } = TOOL_SCHEMAS[type]
  const own = required.filter((key) => key !== 'type' && key !== 'name')
  return Object.fromEntries(own.map((key) => [key, smallestValue(propertyOf(properties, key))]))
}

const types = Object.keys(TOOL_SCHEMAS) as ToolType[]
const errorsOf = (...tools: unknown[]) => {
  const merged = mergeAgentConfig({ tools })
  return merged.ok ? [] : merged.errors
}
const of = (type: ToolType, more: Record<string, unknown> = {}) => ({
  type,
  name: 'tool',
  ...(SMALLEST[type] ?? requiredFields(type)),
  ...more,
})

test.for(types)('the smallest %s tool is accepted', (type) => {
  expect(errorsOf(of(type))).toEqual([])
})

test.for(types)('a misspelt option of an %s tool is refused by its name', (type) => {
  expect(errorsOf(of(type, { aproval: 'always' }))).toEqual([
    { path: 'config.tools.0.aproval', message: 'is not a known field' },
  ])
})

test.for(types)('the common options of an %s tool are checked', (type) => {
  const common = {
    description: 'Does it.',
    context_keys: [{ key: 'customer_id', required: true, bind: 'id' }],
    idempotent: true,
    timeout_ms: 30_000,
    approval: { field: 'amount', op: 'gt', value: 100 },
    approval_timeout_s: 86_400,
  }
  expect(errorsOf(of(type, common))).toEqual([])
  const wrong = {
    context_keys: [{ key: '1' }],
    idempotent: 'yes',
    timeout_ms: 0,
    approval: 'maybe',
    approval_timeout_s: 0,
  }
  expect(
    errorsOf(of(type, wrong))
      .map((error) => error.path)
      .sort(),
  ).toEqual([
    'config.tools.0.approval',
    'config.tools.0.approval_timeout_s',
    'config.tools.0.context_keys.0.key',
    'config.tools.0.idempotent',
    'config.tools.0.timeout_ms',
  ])
})

test.for(['', '1a', 'a b', 'a.b', 'ä', 'x'.repeat(65)])('the tool name "%s" is refused', (name) => {
  expect(errorsOf(of('builtin', { name }))).toMatchObject([{ path: 'config.tools.0.name' }])
})

test.for(['a', '_', 'look-up_2', 'x'.repeat(64)])('the tool name "%s" is accepted', (name) => {
  expect(errorsOf(of('builtin', { name }))).toEqual([])
})

test.for([
  undefined,
  'other',
  1,
  'constructor',
])('a tool of the type %s is refused with the list of types', (type) => {
  expect(errorsOf({ name: 'tool', type })).toEqual([
    { path: 'config.tools.0.type', message: `must be one of: ${types.join(', ')}` },
  ])
})

test('two tools cannot have one name', () => {
  expect(errorsOf(of('builtin'), of('http'))).toEqual([
    { path: 'config.tools.1.name', message: 'is used by another tool' },
  ])
})

test('an mcp tool needs a server or a url', () => {
  expect(errorsOf({ type: 'mcp', name: 'tool' })).toEqual([
    { path: 'config.tools.0.server_id', message: 'must be given, unless there is a url' },
  ])
  const both = { type: 'mcp', server_id: UUID, url: 'https://example.com/mcp' }
  expect(errorsOf(both)).toEqual([
    { path: 'config.tools.0.url', message: 'cannot be combined with server_id' },
  ])
  expect(errorsOf({ type: 'mcp', name: 'tool', server_id: UUID })).toEqual([])
})

test('all faults of several tools are reported together', () => {
  const tools = [
    { type: 'openapi', name: 'api', spec_url: 'https://' },
    { type: 'mcp' },
    { type: 'workflow', name: 'run' },
    { type: 'http', name: 'bad name', method: 'GET', url: 'nowhere' },
    { type: 'code', name: 'run', source: 'x' },
  ]
  const merged = mergeAgentConfig({ tools, prompt: { timezone: 'Mars' } })
  expect(merged.ok ? [] : merged.errors.map(({ path }) => path)).toEqual([
    'config.tools.0.spec_url',
    'config.tools.1.server_id',
    'config.tools.2.workflow_id',
    'config.tools.3.name',
    'config.tools.3.url',
    'config.tools.4.name',
    'config.prompt.timezone',
  ])
})

test('an openapi tool needs a document or its address', () => {
  expect(errorsOf({ type: 'openapi', name: 'tool' })).toEqual([
    { path: 'config.tools.0.spec_url', message: 'must be given, unless there is a document' },
  ])
  expect(errorsOf({ type: 'openapi', name: 'tool', document: { openapi: '3.1.0' } })).toEqual([])
  expect(errorsOf({ type: 'openapi', name: 'tool', document: { swagger: '2.0' } })).toEqual([])
  expect(errorsOf({ type: 'openapi', name: 'tool', document: { swagger: '1.2' } })).toEqual([
    { path: 'config.tools.0.document', message: 'must be OpenAPI 3.0 or 3.1, or Swagger 2.0' },
  ])
})

test.for([
  'https://',
  'foo',
  'ftp://x',
  '/openapi.json',
])('the address "%s" is refused at its option', (address) => {
  const message = 'must start with http:// or https:// and a host'
  expect(errorsOf({ type: 'openapi', name: 'tool', spec_url: address })).toEqual([
    { path: 'config.tools.0.spec_url', message },
  ])
  expect(errorsOf({ type: 'mcp', url: address })).toEqual([{ path: 'config.tools.0.url', message }])
})

test.for([
  [{ field: '', op: 'gt', value: '' }, '.field', 'must not be empty'],
  [{ op: 'exists' }, '.field', 'is required'],
  [{ field: 'amount', op: 'more' }, '.op', expect.stringContaining('must be one of: eq, neq')],
  ['maybe', '', 'must be never, always, or an object with field and op'],
] as const)('the approval %j is refused at the faulty part', ([approval, at, message]) => {
  expect(errorsOf(of('http', { approval }))).toEqual([{ path: `config.tools.0.approval${at}`, message }])
})

test('a web search needs a credential', () => {
  const search = { type: 'builtin', name: 'search', builtin: 'web_search' }
  const path = 'config.tools.0.auth_credential_id'
  expect(errorsOf(search)).toMatchObject([{ path }])
  expect(errorsOf({ ...search, auth_credential_id: UUID })).toEqual([])
  expect(errorsOf(of('builtin', { auth_credential_id: UUID }))).toEqual([
    { path, message: 'must be absent: calculator sends none' },
  ])
})

test('an mcp tool needs no name, because its server names the tools', () => {
  expect(errorsOf({ type: 'mcp', url: 'https://example.com/mcp' })).toEqual([])
  const { name: _, ...nameless } = of('http')
  expect(errorsOf(nameless)).toMatchObject([{ path: 'config.tools.0.name' }])
})

test.for([
  { timeout_ms: 30_001 },
  { memory_mb: 257 },
  { source: '' },
  { source: 'x'.repeat(65_537) },
])('a code tool beyond its limits is refused: %j', (more) => {
  expect(errorsOf(of('code', more))).toMatchObject([{ path: `config.tools.0.${Object.keys(more)[0]}` }])
})

test.for([
  [{ type: 'array' }, 'must describe an object: its type must be object'],
  [{ type: 'object', minProperties: 100_000 }, expect.stringContaining('exceeds the limits')],
] as const)('the arguments of a tool are described by an object of moderate size: %j', ([
  input_schema,
  message,
]) => {
  expect(errorsOf(of('code', { input_schema }))).toEqual([{ path: 'config.tools.0.input_schema', message }])
})
