import type { GuardrailConfig, GuardrailStage, GuardrailType } from '@troupe/contract'
import type { KindKey, SettingWords } from '../../../forms/setting-words.ts'
import { MODEL_LINK_WORDS } from '../model-link.ts'

/** The words of every setting of a guardrail, by its key. A key without words does not compile. */
export const GUARDRAIL_SETTING_WORDS: Readonly<Record<KindKey<GuardrailConfig>, SettingWords>> = {
  type: { label: 'Kind' },
  action: {
    label: 'Action',
    choices: {
      block: { label: 'Block', detail: 'The message is the answer.' },
      redact: { label: 'Redact', detail: 'Matches are replaced by [redacted].' },
      flag: { label: 'Flag', detail: 'The text passes, and the result records the match.' },
    },
  },
  message: {
    label: 'Message',
    help: 'The answer when the rule blocks.',
    none: 'This request cannot be answered.',
  },
  run: {
    label: 'When it checks',
    choices: {
      blocking: { label: 'Before the next step' },
      parallel: { label: 'In parallel with the model', detail: 'Faster. A finding withdraws the answer.' },
    },
  },
  on_error: {
    label: 'If the rule itself fails',
    choices: {
      block: { label: 'Block', detail: 'Safe: nothing unchecked gets through.' },
      allow: { label: 'Allow' },
    },
  },
  entities: {
    label: 'Detected data',
    help: 'None selected: all of them.',
    choices: {
      email: { label: 'E-mail addresses' },
      phone: { label: 'Phone numbers' },
      card: { label: 'Card numbers' },
      iban: { label: 'IBANs' },
      ip_address: { label: 'IP addresses' },
      us_ssn: { label: 'US social security numbers' },
      de_tax_id: { label: 'German tax ids' },
    },
  },
  threshold: {
    label: 'Threshold',
    help: 'From 0 to 1. A lower threshold catches more, with more false positives.',
    none: '0.5',
  },
  llm_config_id: { label: MODEL_LINK_WORDS.llm_config_id.label, none: MODEL_LINK_WORDS.llm_config_id.none },
  model_id: MODEL_LINK_WORDS.model_id,
  categories: {
    label: 'Subjects',
    help: 'None selected: all of them.',
    choices: {
      harassment: { label: 'Harassment' },
      hate: { label: 'Hate' },
      illicit: { label: 'Illicit acts' },
      self_harm: { label: 'Self-harm' },
      sexual: { label: 'Sexual content' },
      violence: { label: 'Violence' },
    },
  },
  pattern: { label: 'Pattern', help: 'A regular expression in RE2 syntax.' },
  max_chars: { label: 'Max characters' },
  question: {
    label: 'Question',
    help: 'A model answers yes or no. “Yes” triggers the rule: “Does the text ask for legal advice?”',
  },
  url: { label: 'Address', help: 'Receives a signed request with the text, and answers whether it passes.' },
  credential_id: { label: 'Credential' },
}

/** Texts of the editor of guardrails. */
export const guardrailWords = {
  kinds: {
    pii: { label: 'Personal data', detail: 'Detects addresses, numbers and ids by their format.' },
    prompt_injection: { label: 'Prompt injection', detail: 'Detects attempts to override the instructions.' },
    moderation: { label: 'Moderation', detail: 'A model judges harmful subjects.' },
    regex: { label: 'Pattern', detail: 'A regular expression.' },
    max_length: { label: 'Length', detail: 'Refuses texts that are too long.' },
    llm_rule: { label: 'LLM judge', detail: 'A model answers a yes-or-no question about the text.' },
    webhook: { label: 'Webhook', detail: 'Your own service decides.' },
  } satisfies Record<GuardrailType, { label: string; detail: string }>,
  add: 'Add rule',
  none: 'No rules.',
  remove: 'Remove',
  up: 'Move up',
  down: 'Move down',
  actions: (name: string) => `Actions for ${name}`,
  more: 'Timing and failures',
  unknownKind: 'This version does not support this rule type and will not run it. Its configuration is kept.',
  try: 'Test these rules',
  tryDetail: 'Nothing is stored, and no model or other server is called.',
  tryText: 'Test text',
  tryFailed: 'The rules could not be tested',
  former: 'The rules or the text have changed since.',
  passes: 'It passes.',
  blocked: 'It is blocked, and replaced by:',
  redacted: 'It passes as:',
  flags: 'Matches',
  found: (parts: readonly string[]) => `Found: ${parts.join(', ')}.`,
  /** @param count null: it is not counted */
  foundPart: (label: string, count: string | null) => (count === null ? label : `${label} (${count})`),
  /** The text that a rule checks at each stage. */
  stages: { input: 'message', output: 'answer' } satisfies Record<GuardrailStage, string>,
  flag: (kind: string, action: string, reason: string) => `${kind} (${action.toLowerCase()}): ${reason}`,
  untried: (kinds: readonly string[]) =>
    `Not tested, because they call a model or another server: ${new Intl.ListFormat('en').format(kinds)}.`,
  most: (count: number) => `At most ${count} rules.`,
} as const
