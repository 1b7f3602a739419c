/** What the attackers of a server know. */
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
}

/** Attacks once. Resolves with the status of the answer. */
type Attack = (target: AttackTarget) => Promise<number>

const JSON_TYPE = { 'content-type': 'application/json' }
/** From one attack of an attacker to the next, on the server's own clock. */
export const EVERY_MS = 1_000

const KB = 1_000

async function post(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}

const FORM_TEXTS = ['eyJ-'.repeat(17 * KB), '[[tool: a {'.repeat(6 * KB), 'http://a.b/('.repeat(5 * KB)]
/** No two parts of it are alike. */
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

/** Gives the values in turn, again and again. */
function inTurn<T>(values: readonly [T, ...T[]] | T[]): () => T {
  let next = 0
  return () => {
    const value = values[next % values.length]
    next += 1
    if (value === undefined) throw new Error('there is no value')
    return value
  }
}

const [formText, pattern, bundle] = [inTurn(FORM_TEXTS), inTurn(PATTERNS), inTurn(BUNDLES)]

/** Everything that once stopped the event loop, by attacker. */
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
} as const satisfies Record<string, Attack>
