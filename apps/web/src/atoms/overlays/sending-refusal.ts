import { createContext, use } from 'react'

/** Why nothing can be sent now, such as "You are offline."; null: it can. */
export const SendingRefusal = createContext<string | null>(null)

export function useSendingRefusal(): string | null {
  return use(SendingRefusal)
}
