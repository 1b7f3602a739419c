/** The side of the protocol that a scenario tests. */
export type Side = 'client' | 'server'

/** The scenarios of the conformance suite that both sides support. */
export const APPLICABLE: Readonly<Record<Side, readonly string[]>> = {
  client: ['initialize', 'tools_call', 'sse-retry'],
  server: [
    ...['server-initialize', 'ping', 'tools-list', 'tools-call-simple-text', 'tools-call-error'],
    ...['server-sse-multiple-streams', 'dns-rebinding-protection'],
  ],
}

/** Timed scenarios: up to three attempts, because a busy machine is late. */
export const TIMED: readonly string[] = ['sse-retry']

const OAUTH =
  'credentials of MCP servers are configured; nobody signs in by OAuth, and 401 is an answer in words'
const NO_ELICITATION = 'elicitation and sampling are not offered to servers: an agent runs without a person'
const NO_RESOURCES = 'the server offers tools only, and says so in its capabilities'
const TEXT = 'a tool answers with the text of a run, which has no other kinds of content'
const ASKS_NOBODY = 'a run asks people by approvals and reviews, never the client that called the tool'

/** The reason why a scenario does not apply, by its name or a prefix of its name. */
export const NOT_APPLICABLE: Readonly<Record<Side, Readonly<Record<string, string>>>> = {
  client: {
    'auth/': OAUTH,
    'elicitation-sep1034-client-defaults': NO_ELICITATION,
  },
  server: {
    'resources-': NO_RESOURCES,
    'prompts-': NO_RESOURCES,
    'completion-complete': NO_RESOURCES,
    'logging-set-level': 'the server keeps no state in which it could remember the level of a client',
    'tools-call-image': TEXT,
    'tools-call-audio': TEXT,
    'tools-call-embedded-resource': TEXT,
    'tools-call-mixed-content': TEXT,
    'tools-call-with-logging': 'the server does not offer logging: what happens in a run is told as progress',
    'tools-call-with-progress':
      'the scenario calls without arguments, and only agents and teams, which need a message, have three steps to tell',
    'tools-call-sampling': ASKS_NOBODY,
    'tools-call-elicitation': ASKS_NOBODY,
    'elicitation-': ASKS_NOBODY,
    'server-sse-polling': 'a call whose client has disconnected is cancelled, so no stream is resumed',
    'json-schema-2020-12':
      'the schemas of tools are made from triggers, and none of them has definitions or a closed object',
  },
}

/** The scenarios of a list that are neither run nor excused, and named ones that no longer exist. */
export function unaccounted(side: Side, listed: readonly string[]): string[] {
  const excuses = Object.keys(NOT_APPLICABLE[side])
  const covers = (excuse: string, name: string) =>
    name === excuse || (/[-/]$/.test(excuse) && name.startsWith(excuse))
  const isKnown = (name: string) =>
    APPLICABLE[side].includes(name) !== excuses.some((excuse) => covers(excuse, name))
  return [
    ...listed
      .filter((name) => !isKnown(name))
      .map((name) => `${side} ${name}: is neither run nor excused, or both`),
    ...APPLICABLE[side]
      .filter((name) => !listed.includes(name))
      .map((name) => `${side} ${name}: is no scenario`),
    ...excuses
      .filter((excuse) => !listed.some((name) => covers(excuse, name)))
      .map((excuse) => `${side} ${excuse}: excuses no scenario`),
  ]
}
