import type { Served } from './served.ts'

/** The caller of a document's routes: one run of Schemathesis. */
export interface Caller {
  name: string
  /** Path of the document. */
  document: string
  /** Credentials, as `schemathesis.toml` names them. */
  environment: { API_KEY: string; ADMIN_TOKEN: string; SESSION: string }
  parameters: readonly string[]
  /** Generated requests per operation, besides those of the coverage phase. */
  examples: number
}

const PUBLIC = '/api/v1/openapi.json'
const SITE = '/api/builder/openapi.json'

/** Pages accept any input and show its errors; so they do not refuse it by a status. */
const LENIENT = 'negative_data_rejection,positive_data_acceptance,refuses_strangers'
/** The coverage phase tries every keyword of every schema, once. */
const THOROUGH = ['--phases', 'examples,coverage,fuzzing', '--exclude-checks']
const QUICK = ['--phases', 'fuzzing', '--exclude-checks']
const STRANGER = [
  '--phases',
  'fuzzing',
  '--mode',
  'positive',
  '--checks',
  'refuses_strangers,not_a_server_error',
]

/** Every caller, the most thorough first. */
export async function callersOf(served: Served): Promise<Caller[]> {
  const { organizationKey, projectKey, adminToken } = served.credentials
  const wrong = { API_KEY: 'a-key-that-nobody-has', ADMIN_TOKEN: 'no-token', SESSION: 'no-session' }
  const operator = { ...wrong, ADMIN_TOKEN: adminToken, SESSION: await sessionOf(served) }
  return [
    {
      name: 'organization',
      document: PUBLIC,
      environment: { ...wrong, API_KEY: organizationKey },
      parameters: [...THOROUGH, 'refuses_strangers'],
      examples: 12,
    },
    {
      name: 'project',
      document: PUBLIC,
      environment: { ...wrong, API_KEY: projectKey },
      parameters: [...QUICK, 'refuses_strangers'],
      examples: 6,
    },
    { name: 'stranger', document: PUBLIC, environment: wrong, parameters: STRANGER, examples: 2 },
    {
      name: 'operator',
      document: SITE,
      environment: operator,
      parameters: [...THOROUGH, LENIENT],
      examples: 12,
    },
    { name: 'visitor', document: SITE, environment: wrong, parameters: STRANGER, examples: 2 },
  ]
}

/** The value of the session cookie of a signed-in member. */
async function sessionOf({ url, credentials }: Served): Promise<string> {
  const answer = await fetch(`${url}/sign-in`, {
    method: 'POST',
    headers: { origin: url },
    body: new URLSearchParams({ email: 'owner@acme.test', password: credentials.password }),
    redirect: 'manual',
  })
  const value = /troupe_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1]
  if (value === undefined) throw new Error(`the member cannot sign in: ${answer.status}`)
  return value
}
