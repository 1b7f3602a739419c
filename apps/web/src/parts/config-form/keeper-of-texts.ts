import { createContext } from 'react'
import type { TextKeeper } from '../unsaved/use-kept-texts.ts'

/** The storage of unparsable texts of a form's JSON fields, by the id of the field; null: in the page only. */
export const KeeperOfTexts = createContext<((id: string) => TextKeeper) | null>(null)
