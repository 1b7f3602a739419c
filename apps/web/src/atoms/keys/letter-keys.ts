import { createContext, use } from 'react'

/** Whether single-letter shortcuts are on. Speech input types letters, so users can switch them off. */
export const LetterKeys = createContext(true)

export function useLetterKeys(): boolean {
  return use(LetterKeys)
}

/** The distance of a key along the rows of a list; null: another key. */
export function rowStep(key: string, hasLetters: boolean): number | null {
  if (key === 'ArrowDown' || (hasLetters && key === 'j')) return 1
  return key === 'ArrowUp' || (hasLetters && key === 'k') ? -1 : null
}
