import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ResolvedChain } from '../chain/resolve-chain.ts'
import { tokensOf } from '../chain/tokens.ts'
import { type CallEstimate, MAX_OUTPUT_TOKENS } from './run-budget.ts'

/** The highest prices of a chain; null if one of its models has none. */
export function pricesOf({ models }: Pick<ResolvedChain, 'models'>): CallEstimate['prices'] {
  let input = 0
  let output = 0
  for (const model of models) {
    if (!model || model.inputUsdPerMillion == null || model.outputUsdPerMillion == null) return null
    input = Math.max(input, model.inputUsdPerMillion)
    output = Math.max(output, model.outputUsdPerMillion)
  }
  return { input, output }
}

/** The maximum cost of a call of this chain; the input is estimated from its bytes. */
export function estimateCall(
  resolved: ResolvedChain,
  prompt: LanguageModelV4Prompt,
  options: Pick<LanguageModelV4CallOptions, 'maxOutputTokens' | 'tools' | 'responseFormat'> = {},
): CallEstimate {
  const { maxOutputTokens, tools, responseFormat } = options
  const text = JSON.stringify([prompt, tools, responseFormat])
  const configured = resolved.chain.targets[0].parameters?.maxOutputTokens ?? null
  return {
    inputTokens: tokensOf(Buffer.byteLength(text)),
    outputTokens: maxOutputTokens ?? configured ?? MAX_OUTPUT_TOKENS,
    prices: pricesOf(resolved),
  }
}
