import type { KnownToken } from '@troupe/editor/tokens/known-tokens'
import { createContext } from 'react'

/** The tokens available to the edited step. */
export const TokensOfStep = createContext<readonly KnownToken[]>([])
