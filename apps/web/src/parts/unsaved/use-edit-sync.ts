import { isJsonObject } from '@troupe/contract'
import type { PersonsChanges } from '@troupe/contract/builder'
import { useEffect, useRef, useState } from 'react'
import { loadCode } from '../../atoms/parts/load-code.ts'
import type { EditedKind } from '../../core/forms/check-content.ts'
import { randomId } from '../../infrastructure/client/random-id.ts'
import { type DraftListener, onDraftNews, tellDraft } from '../../infrastructure/drafts/draft-news.ts'
import type { StoredDraft } from '../../infrastructure/drafts/uncommitted-drafts.ts'
import { syncedKey } from '../../infrastructure/drafts/unsent-drafts.ts'
import {
  type DraftOrigin,
  keepValue,
  readKeptDraft,
  usePlaceOf,
} from '../../infrastructure/drafts/use-draft.ts'
import { useChanges } from '../../infrastructure/events/use-changes.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { useSignedInAgain } from '../../infrastructure/sign-in/use-signed-in-again.ts'
import { type AgreedEdit, isSameEdit, NOTHING_AGREED } from './after-look.ts'
import { type BasedEdit, isKeptEdit } from './kept-edit.ts'
import type { EditorOfSync, OpenSync } from './open-edit-sync.ts'

/** The edit of an editor. */
export interface SyncedEditor extends Omit<EditorOfSync, 'agreed' | 'setAgreed' | 'isOthers'> {
  kind: EditedKind
  id: string
  /** The edit as rendered. */
  shown: BasedEdit | null
  origin: DraftOrigin
  isLoading: boolean
}

/** The unsaved changes that a save ends on the server. */
export interface SavedChanges {
  changeId: string
  settledAs: string
}

/** The synchronization of an edit with the server. */
export interface SyncedState {
  /** Whether the server has exactly this edit. */
  isOnServer: boolean
  /** Colleagues with unsaved changes of the same agent or team. */
  others: readonly PersonsChanges[]
  /** Runs a save with the changes that it ends on the server; undefined: none. A save that returns null ends none. */
  during<T>(save: (saved: SavedChanges | undefined) => Promise<T | null>): Promise<T | null>
}

/** Keeps the edit of an agent or a team on the server, for people who may save it. Other edits stay in the browser. */
export function useEditSync(editor: SyncedEditor): SyncedState {
  const { kind, id, shown, origin, isLoading } = editor
  const { membership, may } = usePlace()
  const { organizationId } = membership
  const syncedKind = kind === 'voice_configuration' || !may('build') ? null : kind
  const { agreed, setAgreed, isRead } = useAgreedEdit(usePlaceOf()(syncedKey(`${kind}/${id}`)))
  const [others, setOthers] = useState<readonly PersonsChanges[]>([])
  const opened = useRef<OpenSync | null>(null)
  const latest = useRef(editor)
  latest.current = editor
  const isReady = !isLoading && isRead
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions of the agreed edit are the same in every render
  useEffect(() => {
    if (syncedKind === null || !isReady) return
    let isOpen = true
    const side: EditorOfSync = {
      ...{ agreed, setAgreed },
      local: () => latest.current.local(),
      setLocal: (edit) => latest.current.setLocal(edit),
      saved: () => latest.current.saved(),
      readSaved: () => latest.current.readSaved(),
      isOthers: () => latest.current.origin === 'elsewhere',
    }
    // Without its code, the edit stays in the browser until the page is opened again.
    loadCode(() => import('./open-edit-sync.ts')).then(
      ({ openEditSync }) => {
        if (isOpen) opened.current = openEditSync(organizationId, { kind: syncedKind, id }, side, setOthers)
      },
      () => undefined,
    )
    return () => {
      isOpen = false
      opened.current?.close()
      opened.current = null
    }
  }, [organizationId, syncedKind, id, isReady])
  useChanges(syncedKind === null ? [] : [`unsaved:${id}`], () => opened.current?.sync.news())
  useSignedInAgain(() => opened.current?.sync.news())
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new edit is to be written
  useEffect(() => opened.current?.sync.edited(), [shown?.edit, shown?.base, origin])
  return {
    isOnServer: syncedKind !== null && shown !== null && isSameEdit(shown, agreed().edit),
    others,
    async during(save) {
      if (opened.current === null) return save(undefined)
      const { changeId } = agreed()
      const saved = changeId === null ? undefined : { changeId, settledAs: randomId() }
      return opened.current.sync.during(async () => {
        const result = await save(saved)
        if (result !== null && saved && agreed().changeId === changeId) {
          setAgreed({ changeId: saved.settledAs, edit: null })
        }
        return result
      })
    },
  }
}

interface StoredAgreement {
  agreed(): AgreedEdit
  setAgreed(agreed: AgreedEdit): void
  /** False until the storage was read. */
  isRead: boolean
}

/** The edit that browser and server agreed on, for all tabs. Not a state of React, whose renders may be behind it. */
function useAgreedEdit(place: string): StoredAgreement {
  const held = useRef<AgreedEdit>(NOTHING_AGREED)
  const [isRead, setRead] = useState(false)
  const [, setTimes] = useState(0)
  const listener = useRef<DraftListener>(undefined)
  useEffect(() => {
    let isCurrent = true
    let isHeard = false
    const hear = (stored: StoredDraft | null) => {
      isHeard = true
      held.current = isAgreedEdit(stored?.value) ? stored.value : NOTHING_AGREED
      setTimes((times) => times + 1)
    }
    listener.current = hear
    const stop = onDraftNews(place, hear)
    void readKeptDraft(place).then((found) => {
      if (!isCurrent) return
      // News of another tab are newer.
      if (!isHeard) hear(found)
      setRead(true)
    })
    return () => {
      isCurrent = false
      stop()
      setRead(false)
    }
  }, [place])
  return {
    isRead,
    agreed: () => held.current,
    setAgreed: (agreed) => {
      held.current = agreed
      setTimes((times) => times + 1)
      const stored = { value: agreed, base: '' }
      tellDraft(place, stored, listener.current)
      void keepValue(place, stored)
    },
  }
}

function isAgreedEdit(value: unknown): value is AgreedEdit {
  if (!isJsonObject(value)) return false
  const { changeId, edit } = value
  if (changeId !== null && typeof changeId !== 'string') return false
  return edit === null || (isJsonObject(edit) && typeof edit.base === 'string' && isKeptEdit(edit.edit))
}
