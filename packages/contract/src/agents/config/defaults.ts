import type { AgentConfig } from './agent-config.ts'
import { FAILOVER_CLASSES } from './model.ts'

const MODEL_PARAMETERS = {
  llm_config_id: null,
  model_id: null,
  temperature: null,
  top_p: null,
  max_output_tokens: null,
  seed: null,
  stop_sequences: null,
  reasoning_effort: null,
}

/** Defaults of a `model.fallbacks[]` item. */
export const FALLBACK_DEFAULTS = { ...MODEL_PARAMETERS, provider_options: {}, on: [...FAILOVER_CLASSES] }

/** Defaults of every agent. Never mutated: merging copies. */
export const AGENT_CONFIG_DEFAULTS: AgentConfig = {
  model: {
    primary: { ...MODEL_PARAMETERS, provider_options: {} },
    fallbacks: [],
    retry: {
      attempts_per_model: 2,
      first_token_timeout_ms: 20_000,
      idle_timeout_ms: 30_000,
      call_timeout_ms: 120_000,
    },
    mid_stream: 'fail',
  },
  instructions: '',
  prompt: { add_datetime: false, add_agent_name: false, timezone: 'UTC', expected_output: null },
  memory: {
    history: { enabled: true, max_runs: null, max_tokens: null, tool_traffic_runs: 2 },
    summary: { enabled: true, trigger_tokens: 6_000 },
    user_memories: { enabled: false, scope: 'agent', max: 200 },
  },
  tools: [],
  skills: [],
  knowledge: {
    base_ids: [],
    mode: 'tool',
    top_k: 5,
    min_score: null,
    rerank_llm_config_id: null,
    cite: true,
    filters: {},
  },
  execution: {
    max_steps: 20,
    max_tool_calls: 50,
    max_seconds: 600,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    loop_guard: { repeat_limit: 3 },
    budget: { max_total_tokens: null, max_cost_usd: null, on_exceeded: 'finalize' },
    output: { mode: 'text', schema: null, strategy: 'auto', max_repairs: 2 },
  },
  guardrails: { input: [], output: [] },
  privacy: { store_messages: true, trace_inputs: true, trace_outputs: true, expose_reasoning: false },
  expose: null,
  metadata: {},
}
