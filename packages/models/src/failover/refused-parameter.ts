import type { ErrorFacts } from './error-facts.ts'

/** A parameter of a model that agents and configurations may set. */
export type SettableParameter =
  | 'temperature'
  | 'top_p'
  | 'max_tokens'
  | 'seed'
  | 'stop_sequences'
  | 'reasoning_effort'

/** The names under which providers know each parameter, in their codes, paths and sentences. */
const NAMES: readonly [SettableParameter, RegExp][] = [
  ['temperature', /\btemperature\b/i],
  ['top_p', /\btop_?p\b/i],
  ['max_tokens', /\bmax_?(new_|completion_|output_)?_?tokens(_to_sample)?\b|\bnum_predict\b/i],
  ['seed', /\b(random_)?seed\b/i],
  ['stop_sequences', /\bstop_?sequences?\b|^stop$/i],
  ['reasoning_effort', /\breasoning[_. ]?(effort|config)?\b|\bthinking(_?config|_?budget|_?level)?\b/i],
]

/** Longer texts are not about a single parameter. */
const MAX_SENTENCE = 500

/** Phrases of providers for a parameter that a model does not support at all, or only with other values. */
const REFUSED =
  /unsupported|not (be )?supported|does ?n[o']t support|not (be )?permitted|not allowed|extra_?(inputs|fields|forbidden)|extraneous|unrecogni[sz]ed|unknown (parameter|field|name|argument)|deprecated for this model|cannot both be (specified|set)|invalid (value|[a-z_]{3,30} value)|only the default|must be (less|greater|between|one of|in|>|<|at (most|least))|valid range|is too large|supports at most|maximum allowed|less than or equal/i

/**
 * The parameter that the provider refuses; null if the error is about something else. Both a field named by the
 * provider counts, and a sentence that names and refuses a parameter.
 *
 * Documented examples: OpenAI's `unsupported_parameter` and `unsupported_value` with `param`
 * (https://platform.openai.com/docs/guides/error-codes), Anthropic's "`temperature` and `top_p` cannot both be
 * specified" (https://github.com/fwdai/reticle/issues/7), Bedrock's "extraneous key [top_p] is not permitted", the
 * `loc` of FastAPI servers (https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html).
 */
export function refusedParameter({ parameters, message, labels }: ErrorFacts): SettableParameter | null {
  const isRefusal = REFUSED.test(`${labels} ${message}`)
  if (!isRefusal) return null
  for (const path of parameters) {
    const name = named(path)
    if (name !== null) return name
  }
  // The provider named a field that is not one of these parameters, so its sentence does not matter.
  if (parameters.some((path) => path !== '')) return null
  // Of two mutually exclusive parameters, the second is dropped.
  if (/cannot both be/i.test(message) && /\btop_?p\b/i.test(message)) return 'top_p'
  const quoted = /['"`[]([a-z_.]{3,60})['"`\]]/i.exec(message)?.[1]
  if (quoted !== undefined) return named(quoted)
  return message.length <= MAX_SENTENCE ? named(message) : null
}

function named(text: string): SettableParameter | null {
  return NAMES.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}
