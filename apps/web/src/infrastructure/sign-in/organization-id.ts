import { createContext, useContext } from 'react'

/** The organization of the page, by its slug or UUID; null on pages without one. */
export const OrganizationIdContext = createContext<string | null>(null)

export function useOrganizationId(): string | null {
  return useContext(OrganizationIdContext)
}
