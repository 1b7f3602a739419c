import type { SettingWords } from '../../forms/setting-words.ts'

/** The words of one link of a chain of models, by its key. */
export const MODEL_LINK_WORDS = {
  llm_config_id: {
    label: 'LLM configuration',
    help: 'The connection to a provider, with its key and its models.',
    none: 'Default LLM configuration',
  },
  model_id: { label: 'Model', none: 'First model of the LLM configuration' },
  temperature: {
    label: 'Temperature',
    help: '0 gives nearly the same answer each time, 2 the most varied ones.',
    none: 'Provider’s default',
  },
  top_p: {
    label: 'Top P',
    help: 'Samples only from the most likely tokens up to this probability. Change this or the temperature, not both.',
    none: 'Provider’s default',
  },
  max_output_tokens: {
    label: 'Max output tokens',
    help: 'The answer is cut off after this many tokens.',
    none: 'No limit',
    unit: 'tokens',
  },
  seed: {
    label: 'Seed',
    help: 'With the same seed, providers that support it repeat an answer as far as they can.',
    none: 'None',
  },
  stop_sequences: {
    label: 'Stop sequences',
    help: 'The answer ends before any of these texts, at most four. Spaces count; write \\n for a new line.',
    none: 'Nothing',
  },
  reasoning_effort: {
    label: 'Reasoning',
    help: 'How much a reasoning model thinks before it answers.',
    none: 'Provider’s default',
    choices: {
      none: { label: 'None' },
      low: { label: 'Low' },
      medium: { label: 'Medium' },
      high: { label: 'High' },
    },
  },
  provider_options: {
    label: 'Provider options',
    help: 'Additional provider fields, as JSON. Model, messages, tools and credentials are set by the platform.',
  },
} as const satisfies Record<string, SettingWords>
