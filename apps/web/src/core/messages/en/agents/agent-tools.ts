import type { ToolConfig } from '@troupe/contract'
import { counted } from '../../../format/numbers.ts'
import type { KindKey, SettingWords } from '../../../forms/setting-words.ts'

/** The words of every setting of a tool, by its key. A key without words does not compile. */
export const TOOL_SETTING_WORDS: Readonly<Record<KindKey<ToolConfig>, SettingWords>> = {
  type: { label: 'Kind' },
  name: {
    label: 'Name',
    help: 'The name that the model sees: letters, digits, _ and -.',
  },
  description: {
    label: 'Description',
    help: 'Its purpose and when to use it. The model uses this text to decide.',
  },
  context_keys: {
    label: 'Values from the caller',
    help: 'The tool_context keys that this tool receives, as JSON. The model never sees the values; “bind” writes one into an argument.',
  },
  idempotent: {
    label: 'Idempotent',
    help: 'An interrupted call is retried.',
  },
  timeout_ms: { label: 'Time limit', none: '30,000', unit: 'ms' },
  approval: { label: 'Approval' },
  approval_timeout_s: {
    label: 'Wait for a decision',
    help: 'After this, the call is refused.',
    none: '86,400 (a day)',
    unit: 'seconds',
  },
  approval_notify: { label: 'Notify by e-mail' },
  method: { label: 'Method' },
  url: {
    label: 'Address',
    help: '{name} is an argument of the model, {{ context.key }} a value from the caller.',
  },
  headers: { label: 'Headers', help: 'Names and values as JSON. Secrets belong in a credential.' },
  query: { label: 'Query', help: 'Names and values as JSON, added to the address.' },
  body: {
    label: 'Body',
    help: 'JSON with {arguments} in its texts. Without a body, the remaining arguments are sent as JSON.',
  },
  input_schema: {
    label: 'Arguments',
    help: 'A JSON Schema of the arguments that the model passes.',
  },
  auth_credential_id: { label: 'Credential', help: 'Sent with every call, to its own hosts only.' },
  response_max_kb: {
    label: 'Response limit',
    help: 'Longer responses are truncated.',
    none: '256',
    unit: 'KB',
  },
  document: {
    label: 'OpenAPI document',
    help: 'JSON or YAML: OpenAPI 3.0 or 3.1, or Swagger 2.0. YAML is kept as it is typed.',
  },
  spec_url: {
    label: 'Address of the document',
    help: 'Read when a run needs it, and kept for five minutes.',
  },
  operations: {
    label: 'Only these operations',
    help: 'By operationId. If none is chosen, every operation is a tool.',
    none: 'All operations',
  },
  prefix: { label: 'Prefix', help: 'A prefix for the names of its tools.' },
  server_id: { label: 'MCP server' },
  transport: { label: 'Transport', choices: { streamable_http: { label: 'Streamable HTTP' } } },
  allow: { label: 'Only these tools', none: 'All tools' },
  deny: { label: 'Excluded tools', none: 'None' },
  on_unavailable: {
    label: 'When the server cannot be reached',
    choices: {
      skip: { label: 'Continue without it' },
      fail: { label: 'Fail the run' },
    },
  },
  builtin: {
    label: 'Built-in tool',
    choices: {
      calculator: { label: 'Calculator', detail: 'Evaluates expressions exactly.' },
      datetime: { label: 'Date and time', detail: 'Gives the time and calculates with dates.' },
      web_fetch: { label: 'Read a web page', detail: 'Fetches one address as text.' },
      web_search: { label: 'Search the web', detail: 'Needs a credential of a search provider.' },
      memory: { label: 'Memory', detail: 'Stores and deletes facts about the user.' },
    },
  },
  workflow_id: { label: 'Workflow', help: 'Its published version runs, and its output is the result.' },
  agent_id: { label: 'Agent', help: 'It answers in a run of its own. It gets no other agents as tools.' },
  source: {
    label: 'Code',
    help: 'JavaScript: export default (input) => … It has no network and no files.',
  },
  memory_mb: { label: 'Memory', none: '64', unit: 'MB' },
}

/** Texts of the editor of tools. */
export const agentToolWords = {
  kinds: {
    http: { label: 'HTTP request', detail: 'A request to one address.' },
    openapi: { label: 'OpenAPI', detail: 'Operations of an API with an OpenAPI document.' },
    mcp: { label: 'MCP server', detail: 'Tools that a server offers.' },
    builtin: { label: 'Built in', detail: 'Calculator, dates, web pages, web search, memory.' },
    workflow: { label: 'Workflow', detail: 'One of your published workflows.' },
    agent: { label: 'Agent', detail: 'Another agent, as a subagent.' },
    code: { label: 'Code', detail: 'JavaScript in a sandbox.' },
  },
  add: 'Add tool',
  most: (count: number) => `At most ${count} tools.`,
  none: 'No tools',
  noneText: 'With tools the agent looks things up and acts, instead of only answering.',
  unnamed: 'Unnamed',
  actions: (name: string) => `Actions for ${name}`,
  duplicate: 'Duplicate',
  remove: 'Remove',
  up: 'Move up',
  down: 'Move down',
  test: 'Try it',
  more: 'Limits and more',
  moreSummary: 'Time limit, repetition, values from the caller',
  asJson: 'As JSON',
  request: 'Headers, query and body',
  requestNone: 'None',
  unknownKind: 'This version does not support this tool type and will not run it. Its configuration is kept.',
  otherServer: 'Another server, by its address',
  chooseServer: 'A server of this organization',
  serverFrom: 'Server',
  /** The settings of a server that is named by its address. */
  ofAddress: {
    url: { label: 'Address', help: 'The server’s address, such as https://tools.example.com/mcp.' },
    headers: {
      label: 'Headers',
      help: 'Names and values as JSON; {{ context.key }} is a value from the caller. They are stored unencrypted: for a secret, add the server to the organization’s MCP servers, with a credential.',
    },
  },
  serverTools: (used: number, all: number) =>
    used === all ? counted(all, 'tool', 'tools') : `${used} of ${counted(all, 'tool', 'tools')}`,
  workflowsFailed: 'The workflows could not be loaded',
  agentsFailed: 'The agents could not be loaded',
  choose: 'Choose…',
  gone: 'Deleted, or not visible here',
  find: 'Find…',
  approval: {
    label: 'Approval',
    never: 'Runs without approval',
    neverDetail: 'The model decides alone.',
    always: 'Always ask',
    alwaysDetail: 'A person decides on every call.',
    condition: 'Ask when…',
    conditionDetail: 'A person decides on calls with an argument that meets a condition.',
    field: 'Argument',
    fieldHelp: 'Its path: amount, or order.items.0.price.',
    op: 'Condition',
    value: 'Value',
    valueHelp: 'A number, true, false or a text.',
    /** `value` null: the condition has none. */
    sentence: (field: string, op: string, value: string | null) =>
      `Asks when ${field} ${op}${value === null ? '' : ` ${value === '' ? '“”' : value}`}`,
    emails: 'Notify by e-mail',
    emailsHelp: 'These people get a link when a call waits for approval.',
    noEmails: 'Nobody',
  },
  operators: {
    eq: 'is',
    neq: 'is not',
    gt: 'is more than',
    gte: 'is at least',
    lt: 'is less than',
    lte: 'is at most',
    contains: 'contains',
    not_contains: 'does not contain',
    starts_with: 'starts with',
    ends_with: 'ends with',
    is_empty: 'is empty',
    is_not_empty: 'is not empty',
    exists: 'is given',
    not_exists: 'is not given',
    is_true: 'is true',
    is_false: 'is false',
    matches: 'matches the pattern',
  },
} as const
