import type { AgentConfig } from '@troupe/contract'
import type { SettingPath, SettingWords } from '../../../forms/setting-words.ts'
import { MODEL_CHAIN_WORDS } from '../model-chain.ts'
import { MODEL_LINK_WORDS } from '../model-link.ts'
import { OUTPUT_WORDS, RUN_BUDGET_WORDS, RUNNABLE_SETTING_WORDS } from '../runnable-settings.ts'

/** The words of every setting of an agent. A setting without words does not compile. */
export const AGENT_SETTING_WORDS: Readonly<Record<SettingPath<AgentConfig>, SettingWords>> = {
  instructions: {
    label: 'Instructions',
    help: 'The model reads them first, with every message.',
  },
  'model.primary.llm_config_id': MODEL_LINK_WORDS.llm_config_id,
  'model.primary.model_id': MODEL_LINK_WORDS.model_id,
  'model.primary.temperature': MODEL_LINK_WORDS.temperature,
  'model.primary.top_p': MODEL_LINK_WORDS.top_p,
  'model.primary.max_output_tokens': MODEL_LINK_WORDS.max_output_tokens,
  'model.primary.seed': MODEL_LINK_WORDS.seed,
  'model.primary.stop_sequences': MODEL_LINK_WORDS.stop_sequences,
  'model.primary.reasoning_effort': MODEL_LINK_WORDS.reasoning_effort,
  'model.primary.provider_options': MODEL_LINK_WORDS.provider_options,
  'model.fallbacks': MODEL_CHAIN_WORDS.fallbacks,
  'model.retry.attempts_per_model': MODEL_CHAIN_WORDS['retry.attempts_per_model'],
  'model.retry.first_token_timeout_ms': MODEL_CHAIN_WORDS['retry.first_token_timeout_ms'],
  'model.retry.idle_timeout_ms': MODEL_CHAIN_WORDS['retry.idle_timeout_ms'],
  'model.retry.call_timeout_ms': MODEL_CHAIN_WORDS['retry.call_timeout_ms'],
  'model.mid_stream': MODEL_CHAIN_WORDS.mid_stream,
  'prompt.add_datetime': {
    label: 'Include the date and time',
    help: 'Adds the current time at the end, so that “tomorrow” means something.',
  },
  'prompt.add_agent_name': {
    label: 'Include the agent’s name',
    help: 'Adds “Your name is …” with the agent’s name.',
  },
  'prompt.timezone': { label: 'Time zone', help: 'For the date and time, such as Europe/Berlin.' },
  'prompt.expected_output': {
    label: 'Expected answer',
    help: 'A description of a good answer: length, format, an example.',
    none: 'Not described',
  },
  'memory.history.enabled': RUNNABLE_SETTING_WORDS['memory.history.enabled'],
  'memory.history.max_runs': RUNNABLE_SETTING_WORDS['memory.history.max_runs'],
  'memory.history.max_tokens': RUNNABLE_SETTING_WORDS['memory.history.max_tokens'],
  'memory.history.tool_traffic_runs': RUNNABLE_SETTING_WORDS['memory.history.tool_traffic_runs'],
  'memory.summary.enabled': RUNNABLE_SETTING_WORDS['memory.summary.enabled'],
  'memory.summary.trigger_tokens': RUNNABLE_SETTING_WORDS['memory.summary.trigger_tokens'],
  'memory.user_memories.enabled': RUNNABLE_SETTING_WORDS['memory.user_memories.enabled'],
  'memory.user_memories.scope': RUNNABLE_SETTING_WORDS['memory.user_memories.scope'],
  'memory.user_memories.max': RUNNABLE_SETTING_WORDS['memory.user_memories.max'],
  tools: { label: 'Tools' },
  skills: {
    label: 'Skills',
    help: 'Guides that the agent loads when a task needs them.',
  },
  'knowledge.base_ids': { label: 'Knowledge bases', help: 'The documents that the agent may search.' },
  'knowledge.mode': {
    label: 'When it searches',
    choices: {
      tool: { label: 'When the model asks', detail: 'The model gets a search tool and decides.' },
      auto: { label: 'With every message', detail: 'Matching passages are added before the message.' },
    },
  },
  'knowledge.top_k': { label: 'Passages', help: 'Number of passages per search.' },
  'knowledge.min_score': {
    label: 'Minimum similarity',
    help: 'From 0 to 1. Passages below it are omitted.',
    none: 'No limit',
  },
  'knowledge.rerank_llm_config_id': {
    label: 'Rerank with',
    help: 'A model sorts the best passages again: better order, one more call.',
    none: 'No reranking',
  },
  'knowledge.cite': { label: 'Cite sources', help: 'Answers name their source documents.' },
  'knowledge.filters': {
    label: 'Metadata filter',
    help: 'Only documents with this metadata are searched. As JSON: {"language": "en"}.',
  },
  'execution.max_steps': {
    label: 'Max steps',
    help: 'A step is one call of the model. The last one must answer without tools.',
  },
  'execution.max_tool_calls': { label: 'Max tool calls', help: 'In one run, over all steps.' },
  'execution.max_seconds': {
    label: 'Time limit',
    help: 'Time spent waiting for an approval does not count.',
    unit: 'seconds',
  },
  'execution.parallel_tool_calls': {
    label: 'Parallel tool calls',
    help: 'Off: one call at a time, for tools that depend on each other.',
  },
  'execution.tool_choice': {
    label: 'Tool choice in the first step',
    choices: {
      auto: { label: 'The model decides' },
      required: { label: 'At least one call' },
      none: { label: 'No tools' },
    },
  },
  'execution.loop_guard.repeat_limit': {
    label: 'Loop guard',
    help: 'When the model makes the same tool call this many times, it must answer instead.',
    unit: 'times',
  },
  'execution.budget.max_total_tokens': RUN_BUDGET_WORDS.max_total_tokens,
  'execution.budget.max_cost_usd': RUN_BUDGET_WORDS.max_cost_usd,
  'execution.budget.on_exceeded': RUN_BUDGET_WORDS.on_exceeded,
  'execution.output.mode': OUTPUT_WORDS.mode,
  'execution.output.schema': OUTPUT_WORDS.schema,
  'execution.output.strategy': OUTPUT_WORDS.strategy,
  'execution.output.max_repairs': OUTPUT_WORDS.max_repairs,
  'guardrails.input': RUNNABLE_SETTING_WORDS['guardrails.input'],
  'guardrails.output': RUNNABLE_SETTING_WORDS['guardrails.output'],
  'privacy.store_messages': {
    label: 'Keep messages',
    help: 'Off: texts are erased when the run ends, and sessions have no history.',
  },
  'privacy.trace_inputs': { label: 'Inputs in traces', help: 'Inputs can be read in the run.' },
  'privacy.trace_outputs': { label: 'Outputs in traces', help: 'Outputs can be read in the run.' },
  'privacy.expose_reasoning': {
    label: 'Stream the reasoning',
    help: 'Callers that ask for full detail receive the reasoning of the model.',
  },
  expose: RUNNABLE_SETTING_WORDS.expose,
  metadata: {
    label: 'Metadata',
    help: 'Your own key-value pairs, as JSON. They do not affect runs and are returned with the agent.',
  },
}
