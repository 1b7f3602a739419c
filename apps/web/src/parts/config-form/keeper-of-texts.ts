import { createContext } from 'react'
import type { TextKeeper } from '../unsaved/use-kept-texts.ts'

/** Where the JSON fields of a form keep what cannot be read yet, by the id of the field; null: in the page only. */
export const KeeperOfTexts = createContext<((id: string) => TextKeeper) | null>(null)
