/** Data available to the attackers of a server. */
export interface AttackTarget {
  origin: string
  /** The process of the server. */
  pid: number
  key: string
  adminToken: string
  formToken: string
  /** Link of an open review whose instructions are hostile. */
  reviewUrl: string
  patternWorkflowId: string
  /** An MCP server with a hostile list of tools. */
  mcpUrl: string
  /** A server that returns an OpenAPI document at every path: see `startDocumentServer`. */
  documentUrl: string
}

/** Attacks once. Resolves with the status of the response. */
type Attack = (target: AttackTarget) => Promise<number>

const JSON_TYPE = { 'content-type': 'application/json' }
/** Interval between attacks of an attacker, on the server's own clock. */
export const EVERY_MS = 1_000

const KB = 1_000

async function post(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}

const FORM_TEXTS = ['eyJ-'.repeat(17 * KB), '[[tool: a {'.repeat(6 * KB), 'http://a.b/('.repeat(5 * KB)]
/** Without repeated parts. */
const MIXED = Array.from({ length: 100 * KB }, (_, at) => (Math.sin(at * at) > 0 ? 'a' : 'b')).join('')
const PATTERNS = [
  { pattern: '.{1,500}\\.pdf$', text: 'a'.repeat(900 * KB) },
  { pattern: `${'.{0,900}'.repeat(5)}b$`, text: 'a'.repeat(100 * KB) },
  { pattern: 'a.{300}b$', text: MIXED },
]
const BUNDLES = [
  Array.from({ length: 40 * KB }, (_, at) => `key${at}: value`).join('\n'),
  '['.repeat(4_000 * KB),
  '\n'.repeat(8_000 * KB),
]

/** Cycles through the values. */
function inTurn<T>(values: readonly [T, ...T[]] | T[]): () => T {
  let next = 0
  return () => {
    const value = values[next % values.length]
    next += 1
    if (value === undefined) throw new Error('there is no value')
    return value
  }
}

const ENDLESS = {
  type: 'code',
  name: 'endless',
  source: 'export default () => { for (;;); }',
  timeout_ms: 5_000,
}
const WRONG = JSON.stringify({ name: 'Wrong', config: { tools: Array.from({ length: 499 * KB }, () => 1) } })

/** Concurrent requests per attack: more than one organization may have in progress. */
const AT_ONCE = 4

/** Tests tools concurrently. Resolves with the highest status. */
async function tryTools(
  { origin, key }: AttackTarget,
  toolOf: (n: number) => object,
  name?: string,
): Promise<number> {
  const trial = (_: unknown, n: number) => {
    const body = JSON.stringify({ tool: toolOf(n), name, arguments: {} })
    return post(`${origin}/api/v1/tools/test`, { 'x-api-key': key, ...JSON_TYPE }, body)
  }
  return Math.max(...(await Promise.all(Array.from({ length: AT_ONCE }, trial))))
}

const [formText, pattern, bundle] = [inTurn(FORM_TEXTS), inTurn(PATTERNS), inTurn(BUNDLES)]

/** All attacks that once blocked the event loop, by attacker. */
export const ATTACKS = {
  spammer: ({ origin, formToken }) =>
    post(`${origin}/api/v1/forms/${formToken}/submit`, JSON_TYPE, JSON.stringify({ text: formText() })),
  reviewOpener: async ({ reviewUrl }) => {
    const response = await fetch(reviewUrl)
    await response.arrayBuffer()
    return response.status
  },
  patternRunner: ({ origin, key, patternWorkflowId }) =>
    post(
      `${origin}/api/v1/workflows/${patternWorkflowId}/run`,
      { 'x-api-key': key, ...JSON_TYPE },
      JSON.stringify({ input: pattern() }),
    ),
  bundleSender: ({ origin, adminToken }) =>
    post(
      `${origin}/api/builder/bundles`,
      { authorization: `Bearer ${adminToken}`, 'content-type': 'application/yaml' },
      bundle(),
    ),
  scriptRunner: (target) => tryTools(target, () => ENDLESS),
  // A new URL each time, so that no document is cached. An inline one has at most 256 KB, like its configuration.
  documentSender: (target) =>
    tryTools(
      target,
      (n) => ({
        type: 'openapi',
        name: 'api',
        operations: ['op7'],
        spec_url: `${target.documentUrl}/${performance.now()}/${n}`,
      }),
      'op7',
    ),
  // New headers each time, so that no list is cached.
  mcpNamer: (target) =>
    tryTools(
      target,
      () => ({ type: 'mcp', url: target.mcpUrl, headers: { 'x-time': String(performance.now()) } }),
      'tool_7',
    ),
  wrongSender: ({ origin, key }) =>
    post(`${origin}/api/v1/agents`, { 'x-api-key': key, ...JSON_TYPE }, WRONG),
} as const satisfies Record<string, Attack>
