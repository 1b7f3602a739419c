import { type RefObject, useEffect, useRef } from 'react'
import type { ConversationDesk } from './conversation-desk.ts'

/** Storage of a playground's conversations while another tab of the page is open. */
export type KeptConversations = RefObject<ConversationDesk | null>

export function useKeptConversations(): KeptConversations {
  const kept = useRef<ConversationDesk | null>(null)
  useEffect(
    () => () => {
      kept.current?.close()
      kept.current = null
    },
    [],
  )
  return kept
}
