import { createContext, use } from 'react'

/** Whether a button is the first action of something empty: a refused one is not shown there, only the reason. */
export const EmptyActions = createContext(false)

export function useInEmpty(): boolean {
  return use(EmptyActions)
}
