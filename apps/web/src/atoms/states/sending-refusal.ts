import { createContext, use } from 'react'

/** The reason why nothing can be sent now, such as "You are offline."; null: none. */
export const SendingRefusal = createContext<string | null>(null)

export function useSendingRefusal(): string | null {
  return use(SendingRefusal)
}
