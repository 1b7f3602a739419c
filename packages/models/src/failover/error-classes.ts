import type { FailoverClass } from '@troupe/agents/ports'

/** The class of an error beyond its status. */
export type ErrorClassName =
  | 'no_credit'
  | 'key_refused'
  | 'parameter_refused'
  | 'not_a_chat_model'
  | 'model_not_found'
  | 'rate_too_large'
  | 'request_too_large'
  | 'context_overflow'
  | 'content_refused'

/** The chain's reaction to a class. */
export interface Reaction {
  kind: 'next' | 'fatal'
  class: FailoverClass
  blamesConfiguration: boolean
}

/** The reaction to each class. A fallback may have another account, another model and other limits, but the same content policy. */
export const REACTIONS: Readonly<Record<ErrorClassName, Reaction>> = {
  no_credit: { kind: 'next', class: 'rate_limit', blamesConfiguration: true },
  key_refused: { kind: 'fatal', class: 'error', blamesConfiguration: false },
  parameter_refused: { kind: 'fatal', class: 'error', blamesConfiguration: false },
  not_a_chat_model: { kind: 'next', class: 'error', blamesConfiguration: false },
  model_not_found: { kind: 'next', class: 'error', blamesConfiguration: false },
  rate_too_large: { kind: 'next', class: 'rate_limit', blamesConfiguration: false },
  request_too_large: { kind: 'next', class: 'error', blamesConfiguration: false },
  context_overflow: { kind: 'next', class: 'context_overflow', blamesConfiguration: false },
  content_refused: { kind: 'fatal', class: 'error', blamesConfiguration: false },
}

/** A rule: errors with these statuses and matching codes or messages belong to this class. */
export interface ErrorClassRule {
  name: ErrorClassName
  /** null: an error without a status, such as one inside a stream. */
  statuses: readonly (number | null)[]
  /** Matched against the provider's codes and sentences. */
  said: RegExp
  /** Text that must not occur. */
  unless?: RegExp
  /** The services with this error, and its documentation or report. */
  sources: Readonly<Record<string, string>>
}

const REFUSALS = [400, 422, null]
const ANY = [400, 401, 402, 403, 404, 413, 422, 429, 500, 503, null]

/**
 * The rules in order; the first match counts. They are independent of the provider: gateways and OpenAI-compatible
 * servers repeat the errors of the providers behind them.
 */
export const ERROR_CLASSES: readonly ErrorClassRule[] = [
  {
    name: 'content_refused',
    statuses: [400, 403, 422, 500, null],
    said: /content_filter|content_policy|content[ _-]?management|responsible_?ai|safety_?(error|block|system)|blocked_by_policy|data_?inspection_?failed|content_violation|requires moderation/i,
    sources: {
      'Azure OpenAI': 'https://learn.microsoft.com/azure/ai-services/openai/concepts/content-filter',
      OpenRouter: 'https://openrouter.ai/docs/api-reference/errors',
      DashScope: 'https://help.aliyun.com/zh/model-studio/error-code',
    },
  },
  {
    name: 'no_credit',
    statuses: ANY,
    said: /insufficient[_ ](quota|balance|credits?|funds|user_?quota)|billing_hard_limit|credit_balance_exhausted|(organization|project)_(spend|usage)_limit_exceeded|billing_not_active|quota_exceeded|exceeded_current_quota|budget_exceeded|exceeded budget|arrearage|PerDay|credit balance is too low|(no|any|out of|more) credits|used all available credits|(monthly|weekly) spending limit|specified (API|workspace API) usage limits|account is not active|balance is not enough|payment required|余额不足/i,
    sources: {
      OpenAI: 'https://learn.microsoft.com/microsoft-cloud/dev/dev-proxy/concepts/openai-insufficient-quota',
      Anthropic: 'https://github.com/continuedev/continue/issues/5499',
      'Google Gemini': 'https://ai.google.dev/gemini-api/docs/rate-limits',
      xAI: 'https://github.com/continuedev/continue/issues/10373',
      DeepSeek: 'https://api-docs.deepseek.com/quick_start/error_codes',
      OpenRouter: 'https://github.com/can1357/oh-my-pi/issues/9569',
      Moonshot: 'https://platform.moonshot.ai/docs/api/chat',
      DashScope: 'https://help.aliyun.com/zh/model-studio/error-code',
      LiteLLM: 'https://docs.litellm.ai/docs/proxy/users',
    },
  },
  {
    name: 'no_credit',
    statuses: [400, 403, 429, null],
    said: /exceeded your current quota/i,
    // Google sends the same text for limits that end within seconds.
    unless: /resource_exhausted|retry in \d/i,
    sources: { OpenAI: 'https://platform.openai.com/docs/guides/error-codes/api-errors' },
  },
  {
    name: 'key_refused',
    statuses: [400, 403, 404, 422, null],
    said: /API_KEY_INVALID|invalid_api_key|invalidapikey|authentication_error|invalid_authentication|unauthenticated|UnrecognizedClient|InvalidSignature|ExpiredToken|security token included in the request is (invalid|expired)|(incorrect|invalid|expired|wrong|missing) (api|access|secret|subscription)[ _-]?key|api[ _-]?key (is )?(not valid|invalid|incorrect|expired|revoked|missing|not found)|api key not valid/i,
    sources: {
      'Google Gemini': 'https://ai.google.dev/gemini-api/docs/troubleshooting',
      xAI: 'https://docs.x.ai/docs/key-information/debugging',
      'Amazon Bedrock':
        'https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html',
    },
  },
  {
    name: 'rate_too_large',
    statuses: [413, 429, null],
    said: /request too large[\s\S]{0,300}(tokens per min|TPM)|(input or output tokens|message size)[^.]{0,40}(must be reduced|try again)/i,
    sources: {
      Groq: 'https://github.com/HunorLaczko/ha-groq-cloud-api/issues/27',
      OpenAI: 'https://github.com/vanna-ai/vanna-flask/issues/11',
    },
  },
  {
    name: 'not_a_chat_model',
    statuses: [400, 403, 404, 405, 422, 500, 501, null],
    said: /not a chat model|do(es)? not support (chat|generate|completions?)\b|not supported for (generateContent|streamGenerateContent)|(chatCompletion|chat completions?) (operation )?(does not work|is not supported)|does not (work|support)[^.]{0,60}(chatCompletion|chat completion)|not allowed to (generate text|sample) from this model|is (an embedding|a rerank(ing|er)?|a moderation|a speech|an image) model/i,
    sources: {
      'Azure OpenAI': 'https://github.com/microsoft/graphrag/issues/1557',
      'Google Gemini': 'https://ai.google.dev/gemini-api/docs/troubleshooting',
      OpenRouter: 'https://github.com/decolua/9router/issues/1304',
      Ollama: 'https://github.com/ollama/ollama/issues/2778',
    },
  },
  {
    name: 'context_overflow',
    statuses: [400, 413, 422, 500, null],
    said: /context_length_exceeded|model_max_prompt_tokens|maximum context length|context (window|length|limit|size)|prompt is too long|(input|prompt)[^.]{0,40} (is )?too (long|large)|request[^.]{0,40} (is )?too long|too many (input |total )?tokens|exceeds? the (maximum|limit)[^.]{0,40} tokens|token count[^.]{0,40} exceeds|range of input length|reduce the length of the (messages|prompt)/i,
    sources: {
      OpenAI: 'https://platform.openai.com/docs/guides/error-codes/api-errors',
      Anthropic: 'https://docs.claude.com/en/docs/build-with-claude/context-windows',
      'Google Gemini': 'https://ai.google.dev/gemini-api/docs/tokens',
      vLLM: 'https://github.com/vllm-project/vllm/issues/2483',
    },
  },
  {
    name: 'request_too_large',
    statuses: [413],
    said: /(?:)/,
    sources: {
      Anthropic: 'https://docs.claude.com/en/api/errors',
      Groq: 'https://console.groq.com/docs/errors',
    },
  },
  {
    name: 'model_not_found',
    statuses: [...REFUSALS, 403, 404, 410],
    said: /model_not_found|model_not_exist|unknown_model|invalid_model|DeploymentNotFound|no such model|not a valid model|model identifier is invalid|invalid model\b|model .{0,80}(does not exist|not found|not exist)/i,
    sources: {
      OpenAI: 'https://platform.openai.com/docs/guides/error-codes/api-errors',
      'Azure OpenAI': 'https://learn.microsoft.com/azure/ai-services/openai/how-to/create-resource',
      Mistral: 'https://docs.mistral.ai/api/',
      OpenRouter: 'https://openrouter.ai/docs/api-reference/errors',
      'Amazon Bedrock':
        'https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html',
    },
  },
]
