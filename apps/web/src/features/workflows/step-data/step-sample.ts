import type { RunSample, SampledToken } from '@troupe/editor/tokens/run-sample'
import type { TokenFix } from '@troupe/editor/tokens/token-fixes'
import { createContext } from 'react'

/** A field of text that can take a token. */
export type TokenField = HTMLInputElement | HTMLTextAreaElement

/** Values of a past run or test for the fields of a step, and repairs of their tokens. */
interface StepSample {
  /** null: no run is chosen, or its values are not there yet. */
  sample: RunSample | null
  tokens: readonly SampledToken[]
  /** By the path of the setting below the config. */
  fixes: ReadonlyMap<string, readonly TokenFix[]>
  repair(fix: TokenFix): void
  /** The field in which the caret was last. */
  lastField: { current: TokenField | null }
}

const NO_SAMPLE: StepSample = {
  sample: null,
  tokens: [],
  fixes: new Map(),
  repair: () => undefined,
  lastField: { current: null },
}

export const SampleOfStep = createContext<StepSample>(NO_SAMPLE)
