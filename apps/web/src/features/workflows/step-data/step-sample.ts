import type { RunSample, SampledToken } from '@troupe/editor/tokens/run-sample'
import type { TokenFix } from '@troupe/editor/tokens/token-fixes'
import { createContext } from 'react'

/** A text field that accepts tokens. */
export type TokenField = HTMLInputElement | HTMLTextAreaElement

/** Values of a past run or test for the fields of a step, and repairs of their tokens. */
interface StepSample {
  /** null: no run is selected, or its values are not loaded yet. */
  sample: RunSample | null
  tokens: readonly SampledToken[]
  /** By the path of the setting below the config. */
  fixes: ReadonlyMap<string, readonly TokenFix[]>
  /** Tokens that are already reported by findings at their fields. */
  reported: ReadonlySet<string>
  repair(fix: TokenFix): void
  /** The last field with the caret. */
  lastField: { current: TokenField | null }
}

const NO_SAMPLE: StepSample = {
  sample: null,
  tokens: [],
  fixes: new Map(),
  reported: new Set(),
  repair: () => undefined,
  lastField: { current: null },
}

export const SampleOfStep = createContext<StepSample>(NO_SAMPLE)
