import type { IdText, OrganizationId, UserId, WorkflowId } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { Patch } from '@troupe/editor/document/patch'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { historyWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { randomId } from '../../../infrastructure/client/random-id.ts'
import { isOtherPersons, signedOut } from '../../../infrastructure/client/server-signals.ts'
import { hasStoppedKeeping } from '../../../infrastructure/storage/browser-database.ts'
import { browserTabs } from '../../../infrastructure/storage/tab-presence.ts'
import { draftCalls } from './draft-calls.ts'
import { DraftSession } from './draft-session.ts'
import { BROWSER_STORAGE } from './edit-storage.ts'
import { KeptDraft, type TabEdits } from './kept-edits.ts'
import { type PooledSession, SessionPool } from './session-pool.ts'

/** The user and workflow of the draft. */
export interface DraftPlace {
  userId: IdText<UserId>
  organizationId: IdText<OrganizationId>
  workflowId: IdText<WorkflowId>
}

interface OpenSession extends PooledSession {
  session: DraftSession
  kept: KeptDraft
  calls: ReturnType<typeof draftCalls>
  /** Resolves when the stored edits have been restored; null: not started. */
  opened: Promise<void> | null
}

/** Maximum idle sessions in memory: each holds its draft, up to some megabytes. */
const MOST_IDLE = 5

const sessions = new SessionPool<OpenSession>(MOST_IDLE)

/** The session of this tab on the draft of a workflow. */
export function draftSession(place: DraftPlace, draft: BuilderWorkflow): DraftSession {
  return openSession(place, draft).session
}

function openSession(
  { userId, organizationId, workflowId }: DraftPlace,
  draft: BuilderWorkflow,
): OpenSession {
  return sessions.get(`${userId}/${organizationId}/${workflowId}`, () => {
    const calls = draftCalls(organizationId, workflowId)
    const kept = new KeptDraft(userId, organizationId, workflowId, BROWSER_STORAGE)
    const session = new DraftSession(draft, { calls, kept, now: () => Date.now(), ...ownTab })
    return {
      ...{ session, kept, calls, opened: null },
      get isIdle() {
        return session.isIdle
      },
    }
  })
}

/**
 * Restores this device's stored edits of the draft: this tab's before a reload, unsaved ones of closed tabs, and edits of steps by
 * builds with manual saves. Once for each session.
 *
 * @param draft the server's current one, not a cached one
 */
export function openKept(place: DraftPlace, draft: BuilderWorkflow): Promise<void> {
  const open = openSession(place, draft)
  open.opened ??= takeOver(open, draft.draftRevision)
  return open.opened
}

async function takeOver({ session, kept, calls }: OpenSession, revision: number): Promise<void> {
  const own = await tabs.id
  const unread = await kept.countUnread(own, randomId())
  if (unread > 0) showNotice({ tone: 'bad', title: words.unreadEdits(unread), detail: words.unreadDetail })
  const [found, history] = await Promise.all([kept.edits(), kept.history(own)])
  const mine = found.find(({ tab }) => tab === own)?.edits
  const since = Math.min(revision, ...found.map(({ edits }) => edits.revision))
  const heard = since < revision ? await calls.changesSince(since) : null
  const applied = heard?.kind === 'since' ? heard.since.changeIds : []
  // Edits made while the storage was read are newer.
  const isFirst = session.history.commands.length === 0
  if (mine && !isFirst) session.adopt(unsaved(mine, applied), words.adopted)
  else if ((mine || history) && isFirst) {
    const edits = mine ?? { revision: session.revision, sent: null, queued: [], conflicts: [] }
    session.resume({ ...edits, history: history ?? { commands: [], done: 0, number: 1 } }, applied)
  }
  for (const { tab, edits } of found) {
    if (tab === own) continue
    await tabs.whenGone(tab, async () => {
      session.adopt(unsaved(edits, applied), words.adopted)
      // They are stored as this tab's own before they are removed from the other one.
      await session.keepNow()
      kept.forgetEdits(tab)
    })
  }
  for (const { nodeId, patch } of await kept.stepEdits()) {
    session.adopt([patch], words.adopted)
    await session.keepNow()
    kept.forgetStepEdit(nodeId)
  }
}

function unsaved({ sent, queued }: TabEdits['edits'], applied: readonly string[]): Patch[] {
  const isSaved = sent !== null && applied.includes(sent.changeId)
  return [...(sent === null || isSaved ? [] : sent.patches), ...queued]
}

const tabs = browserTabs('edits')
/** A page that unloads before it knows its id stores its input as a separate tab's, which the next page takes over. */
const ownTab = { tab: () => tabs.id, tabNow: () => tabs.idNow ?? randomId() }

const all = () => sessions.values().map(({ session }) => session)

addEventListener('pagehide', () => {
  if (hasStoppedKeeping()) return
  // Sent now, it would be saved as another user's change.
  for (const session of all()) isOtherPersons() ? session.keepLast() : session.flush(true)
})
document.addEventListener('visibilitychange', () => {
  if (document.hidden && !hasStoppedKeeping() && !isOtherPersons())
    for (const session of all()) session.flush()
})
addEventListener('online', () => reachable())
signedOut.subscribe(() => {
  if (!signedOut.get()) reachable()
})

function reachable(): void {
  for (const session of all()) {
    if (session.status === 'unreachable' || session.status === 'signedOut') {
      session.dispatch({ kind: 'reachable', at: Date.now() })
    }
  }
}
