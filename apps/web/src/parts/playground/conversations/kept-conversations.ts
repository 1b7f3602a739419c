import { type RefObject, useEffect, useRef } from 'react'
import type { ConversationDesk } from './conversation-desk.ts'

/** Where a page keeps the conversations of its playground, while another of its tabs is looked at. */
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
