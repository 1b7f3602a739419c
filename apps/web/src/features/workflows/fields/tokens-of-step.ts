import type { SampledToken } from '@troupe/editor/tokens/run-sample'
import { createContext } from 'react'

/** The tokens available to the edited step, with their values in the selected run. */
export const TokensOfStep = createContext<readonly SampledToken[]>([])
