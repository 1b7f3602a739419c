import { type PersonsChanges, UNSAVED_KINDS, type UnsavedKind } from '@troupe/contract/builder'
import { useEffect, useRef, useState } from 'react'
import { loadCode } from '../../atoms/parts/load-code.ts'
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
import { type AgreedEdit, isAgreedEdit, isSameEdit, NOTHING_AGREED } from './agreed-edit.ts'
import type { BasedEdit, StoredEdit } from './based-edit.ts'
import type { SavedChanges } from './edit-sync.ts'
import type { EditorOfSync, OpenSync } from './open-edit-sync.ts'

/** The edit of an editor. */
export interface SyncedEditor<E extends StoredEdit>
  extends Omit<EditorOfSync<E>, 'agreed' | 'setAgreed' | 'isOthers'> {
  /** The edited resource; null: it is not on the server, such as a new one. */
  thing: { kind: UnsavedKind; id: string } | null
  /** The key of the edit in the browser's storage. */
  key: string
  /** Validates edits of older builds. */
  isEdit(value: unknown): value is E
  /** The edit as rendered. */
  shown: BasedEdit<E> | null
  origin: DraftOrigin
  isLoading: boolean
}

/** The synchronization of an edit with the server. */
export interface SyncedState {
  /** Whether the server has exactly this edit. */
  isOnServer: boolean
  /** Colleagues with unsaved changes of the same resource. */
  others: readonly PersonsChanges[]
  /** Runs a save with the changes that it ends on the server; undefined: none. A save that returns null ends none. */
  during<T>(save: (saved: SavedChanges | undefined) => Promise<T | null>): Promise<T | null>
}

/**
 * Synchronizes the edit of a resource with the server, for users who may save it. Other edits stay in the
 * browser.
 */
export function useEditSync<E extends StoredEdit>(editor: SyncedEditor<E>): SyncedState {
  const { thing, key, isEdit, shown, origin, isLoading } = editor
  const { membership, may } = usePlace()
  const { organizationId } = membership
  const kind = thing !== null && may(UNSAVED_KINDS[thing.kind]) ? thing.kind : null
  const id = thing?.id ?? ''
  const { agreed, setAgreed, isRead } = useAgreedEdit(usePlaceOf()(syncedKey(key)), isEdit)
  const [others, setOthers] = useState<readonly PersonsChanges[]>([])
  const opened = useRef<OpenSync<E> | null>(null)
  const latest = useRef(editor)
  latest.current = editor
  const isReady = !isLoading && isRead
  // biome-ignore lint/correctness/useExhaustiveDependencies: `agreed` and `setAgreed` are stable
  useEffect(() => {
    if (kind === null || !isReady) return
    let isOpen = true
    const side: EditorOfSync<E> = {
      ...{ agreed, setAgreed },
      local: () => latest.current.local(),
      setLocal: (edit) => latest.current.setLocal(edit),
      merge: (edits) => latest.current.merge(edits),
      none: latest.current.none,
      since: latest.current.since && ((edit, former) => latest.current.since?.(edit, former) ?? null),
      readSaved: (base) => latest.current.readSaved(base),
      isOthers: () => latest.current.origin === 'elsewhere',
    }
    // Without its code, the edit stays in the browser until the page is opened again.
    loadCode(() => import('./open-edit-sync.ts')).then(
      ({ openEditSync }) => {
        if (isOpen) opened.current = openEditSync(organizationId, { kind, id, isEdit }, side, setOthers)
      },
      () => undefined,
    )
    return () => {
      isOpen = false
      opened.current?.close()
      opened.current = null
    }
  }, [organizationId, kind, id, isReady])
  useChanges(kind === null ? [] : [`unsaved:${id}`], () => opened.current?.sync.news())
  useSignedInAgain(() => opened.current?.sync.news())
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each new edit
  useEffect(() => opened.current?.sync.edited(), [shown?.edit, shown?.base, origin])
  return {
    isOnServer: kind !== null && shown !== null && isSameEdit(shown, agreed().edit),
    others,
    async during(save) {
      return opened.current === null ? save(undefined) : opened.current.sync.during(save)
    },
  }
}

interface StoredAgreement<E extends StoredEdit> {
  agreed(): AgreedEdit<E>
  setAgreed(agreed: AgreedEdit<E>): void
  /** False until the storage was read. */
  isRead: boolean
}

/** The edit that browser and server agreed on, for all tabs. Not a state of React, whose renders may be behind it. */
function useAgreedEdit<E extends StoredEdit>(
  place: string,
  isEdit: (value: unknown) => value is E,
): StoredAgreement<E> {
  const held = useRef<AgreedEdit<E>>(NOTHING_AGREED)
  const [isRead, setRead] = useState(false)
  const [, setTimes] = useState(0)
  const listener = useRef<DraftListener>(undefined)
  const check = useRef(isEdit)
  useEffect(() => {
    let isCurrent = true
    let isHeard = false
    const hear = (stored: StoredDraft | null) => {
      isHeard = true
      const value = stored?.value
      held.current = isAgreedEdit(value, check.current) ? value : NOTHING_AGREED
      setTimes((times) => times + 1)
    }
    listener.current = hear
    const stop = onDraftNews(place, hear)
    void readKeptDraft(place).then((found) => {
      if (!isCurrent) return
      // A notification of another tab is newer.
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
