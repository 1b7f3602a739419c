import { useEffect, useRef } from 'react'
import { useForgetSent } from '../../../infrastructure/drafts/use-draft.ts'
import { useOrganizationId } from '../../../infrastructure/sign-in/organization-id.ts'
import { ConversationDesk, type DeskListeners, type DeskOf } from './conversation-desk.ts'
import type { KeptConversations } from './kept-conversations.ts'

export interface ConversationsOf extends Omit<DeskOf, 'organizationId'>, Pick<DeskListeners, 'onRuns'> {}

/** The conversations of a page, which outlive the tab that shows them. */
export function useConversationDesk(kept: KeptConversations, of: ConversationsOf): ConversationDesk {
  const { kind, id, runs, onRuns } = of
  const organizationId = useOrganizationId() ?? ''
  const forgetSent = useForgetSent()
  const isShown = useRef(true)
  const desk = deskOf(kept, { organizationId, kind, id, runs })
  desk.listeners = {
    onRuns,
    // The composer clears its own sent message while it is mounted.
    onTaken: (message) => {
      if (!isShown.current) void forgetSent(`playground/${kind}/${id}`, message)
    },
  }
  useEffect(() => {
    isShown.current = true
    desk.open()
    return () => {
      isShown.current = false
    }
  }, [desk])
  return desk
}

function deskOf(kept: KeptConversations, of: DeskOf): ConversationDesk {
  if (kept.current?.isFor(of)) return kept.current
  kept.current?.close()
  kept.current = new ConversationDesk(of)
  return kept.current
}
