import type { KnownToken } from '@troupe/editor/tokens/known-tokens'
import { createContext } from 'react'

/** The tokens that the step whose settings are edited can read. */
export const TokensOfStep = createContext<readonly KnownToken[]>([])
