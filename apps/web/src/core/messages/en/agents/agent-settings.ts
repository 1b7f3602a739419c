import type { AgentConfig } from '@troupe/contract'
import type { SettingPath, SettingWords } from '../../../forms/setting-words.ts'
import { MODEL_CHAIN_WORDS, MODEL_LINK_WORDS } from '../model-chain.ts'

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
    label: 'Say the date and time',
    help: 'Adds the current time at the end, so that “tomorrow” means something.',
  },
  'prompt.add_agent_name': {
    label: 'Say its name',
    help: 'Adds “Your name is …” with the name of the agent.',
  },
  'prompt.timezone': { label: 'Time zone', help: 'For the date and time, such as Europe/Berlin.' },
  'prompt.expected_output': {
    label: 'Expected answer',
    help: 'What a good answer looks like: its length, its form, an example.',
    none: 'Nothing is said about it',
  },
  'memory.history.enabled': {
    label: 'Remember the conversation',
    help: 'Earlier messages of the same session go to the model with each new one.',
  },
  'memory.history.max_runs': {
    label: 'Exchanges at most',
    help: 'Only the newest questions and answers are sent.',
    none: 'As many as fit',
  },
  'memory.history.max_tokens': {
    label: 'History at most',
    help: 'Older exchanges are left out beyond this.',
    none: 'As much as fits',
    unit: 'tokens',
  },
  'memory.history.tool_traffic_runs': {
    label: 'Exchanges with tool results',
    help: 'Of how many of the newest exchanges the calls and results of tools are sent, too.',
  },
  'memory.summary.enabled': {
    label: 'Summarize long conversations',
    help: 'What no longer fits is summed up by the model in the background.',
  },
  'memory.summary.trigger_tokens': {
    label: 'Summarize from',
    help: 'A conversation that is longer is summed up.',
    unit: 'tokens',
  },
  'memory.user_memories.enabled': {
    label: 'Remember facts about users',
    help: 'Facts outlive the conversation. They belong to the user id that callers send.',
  },
  'memory.user_memories.scope': {
    label: 'Who shares them',
    choices: {
      agent: { label: 'Only this agent' },
      project: { label: 'Every agent of the project' },
    },
  },
  'memory.user_memories.max': { label: 'Most facts per user', help: 'The oldest make room for new ones.' },
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
      auto: { label: 'With every message', detail: 'Passages that fit are put before the message.' },
    },
  },
  'knowledge.top_k': { label: 'Passages', help: 'How many a search brings.' },
  'knowledge.min_score': {
    label: 'Least similarity',
    help: 'From 0 to 1. Passages below it are left out.',
    none: 'No limit',
  },
  'knowledge.rerank_llm_config_id': {
    label: 'Rerank with',
    help: 'A model sorts the best passages again: better order, one more call.',
    none: 'No reranking',
  },
  'knowledge.cite': { label: 'Cite sources', help: 'Answers name the documents that they come from.' },
  'knowledge.filters': {
    label: 'Only documents with',
    help: 'Metadata that documents must have, as JSON: {"language": "en"}.',
  },
  'execution.max_steps': {
    label: 'Most steps',
    help: 'A step is one call of the model. The last one must answer without tools.',
  },
  'execution.max_tool_calls': { label: 'Most tool calls', help: 'In one run, over all steps.' },
  'execution.max_seconds': {
    label: 'Longest run',
    help: 'Time that waits for an approval does not count.',
    unit: 'seconds',
  },
  'execution.parallel_tool_calls': {
    label: 'Call several tools at once',
    help: 'Off: one after the other, for tools that depend on each other.',
  },
  'execution.tool_choice': {
    label: 'Use of tools in the first step',
    choices: {
      auto: { label: 'As the model decides' },
      required: { label: 'At least one call' },
      none: { label: 'No tools' },
    },
  },
  'execution.loop_guard.repeat_limit': {
    label: 'Same call at most',
    help: 'A tool that is called again with the same arguments is stopped at this call, and the model must answer.',
    unit: 'times',
  },
  'execution.budget.max_total_tokens': {
    label: 'Tokens per run',
    help: 'Input and output of all calls of one run.',
    none: 'No limit',
    unit: 'tokens',
  },
  'execution.budget.max_cost_usd': {
    label: 'Cost per run',
    help: 'Needs models with prices.',
    none: 'No limit',
    unit: 'US$',
  },
  'execution.budget.on_exceeded': {
    label: 'At the limit',
    choices: {
      finalize: { label: 'Finish', detail: 'The model gets one last call to answer with what it has.' },
      fail: { label: 'Fail', detail: 'The run ends with an error.' },
    },
  },
  'execution.output.mode': {
    label: 'Answer',
    choices: {
      text: { label: 'Text' },
      json_schema: { label: 'JSON by a schema', detail: 'For programs: the answer always has this form.' },
    },
  },
  'execution.output.schema': {
    label: 'Schema of the answer',
    help: 'A JSON Schema. Answers that do not fit are repaired, then refused.',
  },
  'execution.output.strategy': {
    label: 'How it is asked for',
    choices: {
      auto: { label: 'Automatic', detail: 'As the provider does it best, with or without tools.' },
      native: { label: 'In the same call', detail: 'Not every provider can do this beside tools.' },
      final_step: {
        label: 'In a last call',
        detail: 'Works first, then writes the JSON in a call of its own.',
      },
    },
  },
  'execution.output.max_repairs': {
    label: 'Repairs',
    help: 'How often the model may correct an answer that does not fit the schema.',
  },
  'guardrails.input': {
    label: 'Before the model',
    help: 'Rules that see the message of the user.',
  },
  'guardrails.output': {
    label: 'Before the caller',
    help: 'Rules that see the final text.',
  },
  'privacy.store_messages': {
    label: 'Keep messages',
    help: 'Off: texts are erased when the run ends, and sessions have no history.',
  },
  'privacy.trace_inputs': { label: 'Inputs in traces', help: 'What was sent can be read in the run.' },
  'privacy.trace_outputs': { label: 'Outputs in traces', help: 'What came back can be read in the run.' },
  'privacy.expose_reasoning': {
    label: 'Stream the reasoning',
    help: 'Callers that ask for full detail can read what the model thinks.',
  },
  expose: {
    label: 'Offered over',
    help: 'Other programs can use the agent as a tool by the MCP server of this organization.',
    none: 'Only the API',
    choices: { mcp: { label: 'API and MCP' } },
  },
  metadata: {
    label: 'Metadata',
    help: 'Your own names and texts, as JSON. They change nothing and come back with the agent.',
  },
}
