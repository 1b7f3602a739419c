import { AgentConfigInput } from '@troupe/contract'
import { filledValue } from './filled-value.ts'
import type { Resources } from './resources.ts'

const schema = {
  type: 'object',
  properties: { zeta: { type: 'string' }, alpha: { type: 'integer' } },
  required: ['alpha'],
}

/** Every parameter of a model, none as by default. */
const link = (llmConfigId: string, modelId: string) => ({
  ...{ llm_config_id: llmConfigId, model_id: modelId, temperature: 0.25, top_p: 0.5 },
  ...{ max_output_tokens: 900, seed: 7, stop_sequences: ['END'], reasoning_effort: 'low' },
  provider_options: { user: 'troupe' },
})

export const modelConfig = ({ llms }: Resources) => ({
  primary: link(llms.main, 'writer-1'),
  fallbacks: [{ ...link(llms.spare, 'writer-2'), on: ['timeout', 'rate_limit'] }],
  retry: {
    attempts_per_model: 3,
    ...{ first_token_timeout_ms: 11_000, idle_timeout_ms: 12_000, call_timeout_ms: 130_000 },
  },
  mid_stream: 'restart',
})

export const memoryConfig = {
  history: { enabled: false, max_runs: 5, max_tokens: 4_000, tool_traffic_runs: 1 },
  summary: { enabled: false, trigger_tokens: 9_000 },
  user_memories: { enabled: true, scope: 'project', max: 50 },
}

export const outputConfig = { mode: 'json_schema', schema, strategy: 'native', max_repairs: 1 }
export const budgetConfig = { max_total_tokens: 90_000, max_cost_usd: 0.75, on_exceeded: 'fail' }

/** A rule of each kind. */
const rules = ({ llms, credentials }: Resources) => {
  const common = { action: 'flag', message: 'Not here: $' + '{NAME}.', run: 'parallel', on_error: 'allow' }
  const asked = { llm_config_id: llms.main, model_id: 'writer-1' }
  return [
    { type: 'pii', ...common, entities: ['email', 'iban'] },
    { type: 'prompt_injection', ...common, threshold: 0.75 },
    { type: 'moderation', ...common, ...asked, categories: ['hate'] },
    { type: 'regex', ...common, pattern: 'forbidden\\s+word' },
    { type: 'max_length', ...common, max_chars: 4_000 },
    { type: 'llm_rule', ...common, ...asked, question: 'Is it about the shop?' },
    { type: 'webhook', ...common, url: 'https://crm.example/check', credential_id: credentials.crm },
  ]
}

export const guardrailsConfig = (resources: Resources) => ({
  input: rules(resources),
  output: rules(resources),
})

/** Common settings of every kind of tool. */
const common = (name: string) => ({
  name,
  description: `Does ${name}.`,
  context_keys: [{ key: 'customer', required: true, bind: 'customer.id' }],
  ...{ idempotent: true, timeout_ms: 9_000 },
  approval: { field: 'amount', op: 'gt', value: 100 },
  approval_timeout_s: 3_600,
  approval_notify: { emails: ['ana@acme.test'] },
})

/** Every kind of tool with its schema. */
export const TOOL_KINDS = AgentConfigInput.properties.tools.items.anyOf.map((schema) => ({
  type: schema.properties.type.const,
  schema,
}))

/** A tool of each kind, or two where some fields exclude others. Kinds without a sample are filled from their schema. */
const tools = (...given: Parameters<typeof sampleTools>): object[] => {
  const samples = sampleTools(...given)
  const others = TOOL_KINDS.filter(({ type }) => samples.every((sample) => sample.type !== type))
  return [
    ...samples,
    ...others.map(({ type, schema }) => Object.assign({}, filledValue(schema), common(type))),
  ]
}

const sampleTools = (
  { credentials, server }: Resources,
  { agent, workflow }: { agent: string; workflow: string },
) => [
  {
    ...{ type: 'http', ...common('order'), method: 'POST', url: 'https://api.shop.example/orders/{id}' },
    ...{ headers: { 'x-shop': '{{ context.customer }}' }, query: { page: 2 }, body: { note: '{note}' } },
    input_schema: { type: 'object', properties: { id: { type: 'string' }, note: { type: 'string' } } },
    ...{ auth_credential_id: credentials.shop, response_max_kb: 64 },
  },
  {
    ...{ type: 'openapi', ...common('stock'), operations: ['getStock'], prefix: 'stock_' },
    document: {
      ...{
        openapi: '3.1.0',
        info: { title: 'Stock', version: '1' },
        servers: [{ url: 'https://api.shop.example' }],
      },
      paths: { '/stock': { get: { operationId: 'getStock', responses: { 200: { description: 'Stock' } } } } },
    },
    ...{ response_max_kb: 32, auth_credential_id: credentials.shop },
  },
  { type: 'openapi', name: 'catalogue', spec_url: 'https://api.shop.example/openapi.json' },
  {
    ...{ type: 'mcp', ...common('tickets'), server_id: server, allow: ['open', 'close'], deny: ['close'] },
    ...{ prefix: 't_', on_unavailable: 'fail' },
  },
  {
    ...{ type: 'mcp', name: 'weather', url: 'https://weather.example/mcp', transport: 'streamable_http' },
    headers: { 'x-place': 'here' },
  },
  {
    ...{ type: 'builtin', ...common('find'), builtin: 'web_search', auth_credential_id: credentials.search },
  },
  { type: 'workflow', ...common('flow'), workflow_id: workflow },
  { type: 'agent', ...common('helper'), agent_id: agent },
  {
    ...{
      type: 'code',
      ...common('sum'),
      source: 'export default ({ alpha }) => alpha + 1',
      input_schema: schema,
    },
    memory_mb: 16,
  },
]

/** A configuration with every field, none as by default. */
export const agentConfig = (resources: Resources, others: { agent: string; workflow: string }) => ({
  model: modelConfig(resources),
  instructions: 'First line: yes.\nPay $' + '{amount}.\n',
  prompt: {
    ...{ add_datetime: true, add_agent_name: true, timezone: 'Europe/Berlin' },
    expected_output: 'Two sentences.',
  },
  memory: memoryConfig,
  tools: tools(resources, others),
  skills: [{ skill_id: resources.skill, pinned_version: 1 }, { slug: 'orders' }],
  knowledge: {
    ...{ base_ids: [resources.base], mode: 'auto', top_k: 7, min_score: 0.25, cite: false },
    ...{ rerank_llm_config_id: resources.llms.main, filters: { lang: 'de' } },
  },
  execution: {
    ...{ max_steps: 9, max_tool_calls: 12, max_seconds: 90, parallel_tool_calls: false },
    ...{ tool_choice: 'required', loop_guard: { repeat_limit: 4 } },
    ...{ budget: budgetConfig, output: outputConfig },
  },
  guardrails: guardrailsConfig(resources),
  privacy: { store_messages: false, trace_inputs: false, trace_outputs: false, expose_reasoning: true },
  expose: 'mcp',
  metadata: { tier: 'gold' },
})
