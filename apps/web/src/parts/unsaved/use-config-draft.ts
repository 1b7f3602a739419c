import type { FieldError } from '@troupe/contract'
import type { PersonsChanges } from '@troupe/contract/builder'
import {
  type ConfigContent,
  changesBetween,
  contentOf,
  type SettingChange,
} from '@troupe/editor/values/config-content'
import { isSameJson, valueAt } from '@troupe/editor/values/json-path'
import { type MergeChoices, mergeContents, type SettingConflict } from '@troupe/editor/values/merge-contents'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { EditedKind } from '../../core/forms/check-content.ts'
import { problemAt, problemWithin } from '../../core/forms/problem-sentence.ts'
import { forgetUnreadTexts } from '../../core/forms/unread-texts.ts'
import { asCallFailure, type CallFailure } from '../../infrastructure/client/call-failure.ts'
import { type Draft, useDraft, usePutBack } from '../../infrastructure/drafts/use-draft.ts'
import { useIsOpen } from '../../infrastructure/drafts/use-is-open.ts'
import { useSignedInAgain } from '../../infrastructure/sign-in/use-signed-in-again.ts'
import { broughtBack, configEditSince, mergedEdits, type TakenBack, takenBack } from './brought-back.ts'
import { useConfigResource } from './config-resource.ts'
import type { SavedChanges } from './edit-sync.ts'
import {
  type ConfigEdit,
  editAfterSave,
  editOnTop,
  editWithChange,
  isKeptEdit,
  isSpent,
  type KeptEdit,
  newerSaved,
  type ShownEdit,
} from './kept-edit.ts'
import { useOpenEditor } from './open-editors.ts'
import { putBackOrAsk } from './put-back-or-ask.ts'
import type { SavedContent } from './saved-content.ts'
import { useContentCheck } from './use-content-check.ts'
import { useEditSync } from './use-edit-sync.ts'
import { type UnreadTexts, useKeptTexts } from './use-kept-texts.ts'
import { useTakeBack } from './use-take-back.ts'

export interface ConfigDraftSettings {
  kind: EditedKind
  id: string
  /** The server's latest response. When it changes, the edit is merged with it by field. */
  saved: SavedContent
}

/** The result of a save. */
export interface SaveOutcome {
  versionNumber: number
  /** Number of another user's settings merged with the edit; 0: no other save in between. */
  joined: number
  who: string | null
}

/** Settings changed by both another user and the edit. */
export interface DraftConflict {
  /** null: unknown. */
  who: string | null
  /** ISO 8601. */
  when: string
  settings: readonly SettingConflict[]
  /** Whether the question is displayed. */
  isAsked: boolean
  ask(): void
  close(): void
  /** Decides each conflict and saves. Null: the save failed. */
  resolve(choices: MergeChoices): Promise<SaveOutcome | null>
}

/** An unsaved edit. */
export interface ConfigDraft {
  kind: EditedKind
  /** The editor's content: the saved state with the user's edits. */
  draft: ConfigContent
  saved: SavedContent
  /** Sets one value; paths begin with `name`, `description` or `config`. Undefined removes a key or an item. */
  change(path: string, value: unknown): void
  isDirty: boolean
  /** Unparsable JSON texts: unsaved, and not included in the changes. */
  unread: UnreadTexts
  /** The warnings of the last save here about the current saved state. */
  warnings: readonly FieldError[]
  /** Whether anything would be lost without a save. */
  isUnsaved: boolean
  changes: readonly SettingChange[]
  /** The errors, by path: the contract's while typing, then the server's. */
  problems: readonly FieldError[]
  errorAt(path: string): string | null
  /** The same including errors below the path. */
  errorWithin(path: string): string | null
  /**
   * The errors of the current input: `problems` may be about an older text. Without the server's refusals, because their cause may be
   * elsewhere, such as in a reconnected model.
   */
  check(): Promise<readonly FieldError[]>
  /** Discards everything; returns a function that restores it. */
  discard(): () => void
  /** Null: it failed (`failure`), or conflicts must be decided first (`conflict`). */
  save(): Promise<SaveOutcome | null>
  isSaving: boolean
  failure: CallFailure | null
  conflict: DraftConflict | null
  /** Another user's saves since the edit began, merged with it; null: none. */
  joined: { who: string | null; settings: number } | null
  /** False: neither browser nor server store the edit, so a reload would lose it. */
  isKept: boolean
  /** Whether the server has the whole edit, so that it is on every device. */
  isOnServer: boolean
  /** Colleagues with unsaved changes. */
  others: readonly PersonsChanges[]
  /**
   * Adds a colleague's unsaved changes to the edit; its own values are kept. Returns a function that removes them
   * again, even after the page was closed, and returns the outcome. Both throw `CallFailure`.
   */
  take(edit: ConfigEdit): Promise<() => Promise<TakenBack>>
  /** Until the storage was read. */
  isLoading: boolean
}

const MOST_TRIES = 3

/** The unsaved edit of one agent, team or voice. Give the component that uses it the id as its key. */
export function useConfigDraft({ kind, id, saved: given }: ConfigDraftSettings): ConfigDraft {
  // The page receives a save after its edit has ended here: in between, the previous content would be shown and edited.
  const [answered, setAnswered] = useState<SavedContent | null>(null)
  const saved = newerSaved(given, answered)
  const kept = useDraft(`${kind}/${id}`, isKeptEdit)
  const putBack = usePutBack()
  const isOpen = useIsOpen()
  const resource = useConfigResource(kind, id)
  const { content, conflicts } = useMemo(
    () => editOnTop(kept.value, kept.base, saved),
    [kept.value, kept.base, saved],
  )
  const changes = useMemo(() => changesBetween(contentOf(saved), content), [saved, content])
  const isDirty = changes.length > 0
  const unread = useKeptTexts({
    key: `${kind}/${id}`,
    config: content.config,
    isLoading: kept.isLoading,
    isOwn: kept.origin === 'here',
  })
  const { found, check } = useContentCheck(kind, content, isDirty)
  const [failed, setFailed] = useState<{ failure: CallFailure; content: ConfigContent } | null>(null)
  useSignedInAgain(() => setFailed((now) => (now?.failure.code === 'unauthorized' ? null : now)))
  const [isSaving, setSaving] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const { value: edit, base } = kept
  useForgetSpent(kept, saved, !isSaving && !isDirty, async () => setAnswered(await resource.read()))
  const joined = useMemo(() => {
    if (edit === null || base === saved.versionId) return null
    const settings = changesBetween(edit.from, contentOf(saved)).length
    return settings === 0 ? null : { who: saved.changedBy.name, settings }
  }, [edit, base, saved])
  // Several changes of one gesture come before the next render.
  const shown: ShownEdit = { edit, base, saved }
  const latest = useRef(shown)
  // A key may be rendered before an edit found on the server: it is applied on top of that edit nevertheless.
  const rendered = useRef(edit)
  if (rendered.current === edit) latest.current = { ...latest.current, saved }
  else latest.current = shown
  rendered.current = edit

  const keep = ({ edit, base }: ConfigEdit) => {
    latest.current = { ...latest.current, edit, base }
    kept.edit(edit, base)
  }
  const giveUp = () => {
    latest.current = { ...latest.current, edit: null, base: null }
    kept.discard()
  }
  const change = (path: string, value: unknown) => {
    const next = editWithChange(latest.current, path, value)
    if (next) keep(next)
    if (value === undefined) unread.forgetBelow(path.replace(/^config\./, ''))
  }
  const readSaved = async () => {
    const answer = await resource.read()
    latest.current = { ...latest.current, saved: newerSaved(latest.current.saved, answer) }
    setAnswered(answer)
  }
  const based = (): ConfigEdit | null => {
    const { edit, base } = latest.current
    return edit === null || base === null ? null : { edit, base }
  }
  const put = (next: ConfigEdit | null) => (next === null ? giveUp() : keep(next))
  const sync = useEditSync({
    ...{ thing: { kind, id }, key: `${kind}/${id}`, isEdit: isKeptEdit },
    ...{ local: based, isLoading: kept.isLoading, origin: kept.origin },
    shown: edit === null || base === null ? null : { edit, base },
    readSaved: async (version) => {
      if (version !== latest.current.saved.versionId) await readSaved()
    },
    merge: (edits) => mergedEdits(edits, latest.current.saved),
    since: (edit, former) => configEditSince(edit, former, latest.current.saved),
    setLocal: put,
  })
  useOpenEditor(`${kind}/${id}`, !kept.isLoading, (taken, before) => {
    const back = takenBack(taken, before, latest.current)
    if (back.isChanged) put(back.edit)
    return back
  })
  const takeBack = useTakeBack({ kind, id }, resource.read)
  const take: ConfigDraft['take'] = async (theirs) => {
    if (theirs.base !== latest.current.saved.versionId) await readSaved()
    const before = based()
    const taken = broughtBack(theirs, latest.current)
    put(taken)
    return () => takeBack(taken, before)
  }
  const discard = () => {
    const { edit, base } = latest.current
    setFailed(null)
    setAsked(false)
    giveUp()
    const bringBackTexts = unread.discard()
    forgetUnreadTexts()
    return () => {
      bringBackTexts()
      if (edit === null || base === null) return
      if (isOpen.current) keep(broughtBack({ edit, base }, latest.current))
      // The page was closed, and may be open again with newer input.
      else void putBackOrAsk(putBack(`${kind}/${id}`, edit, base))
    }
  }
  /** Ends the saved edit. Called when the response arrives: later input is an edit of the response. */
  const settle = (sent: ConfigContent, from: SavedContent, answer: SavedContent) => {
    const { edit } = latest.current
    const rest = editAfterSave(latest.current, sent, from, answer)
    setAnswered(answer)
    latest.current = { ...latest.current, saved: newerSaved(latest.current.saved, answer) }
    if (edit === null || rest?.edit === edit) return
    if (rest === null) giveUp()
    else keep(rest)
  }
  const send = async (sent: ConfigContent, from: SavedContent): Promise<SaveOutcome | null> => {
    setFailed(null)
    setSaving(true)
    let tried = sent
    try {
      const outcome = await sync.during((ended) =>
        saveJoined(resource, { sent, from, ended }, (joined) => {
          tried = joined
        }),
      )
      if (outcome === null) {
        setAsked(true)
        return null
      }
      settle(sent, from, outcome.answer)
      setAsked(false)
      return outcome
    } catch (error) {
      setFailed({ failure: asCallFailure(error), content: tried })
      return null
    } finally {
      setSaving(false)
    }
  }
  const save = async () => {
    if (isSaving || !isDirty) return null
    if (conflicts.length === 0) return send(content, saved)
    setAsked(true)
    return null
  }
  const resolve: DraftConflict['resolve'] = async (choices) => {
    const { content: mine } = editOnTop(edit, base, saved, choices)
    keep({ edit: { mine, from: contentOf(saved) }, base: saved.versionId })
    return send(mine, saved)
  }

  const refused = stillRefused(failed, content)
  const problems = found.length > 0 ? found : refused
  return {
    kind,
    draft: content,
    saved,
    change,
    isDirty,
    unread,
    warnings: answered?.versionId === saved.versionId ? (answered.warnings ?? []) : [],
    isUnsaved: isDirty || unread.list.length > 0,
    changes,
    problems,
    errorAt: (path) => problemAt(problems, path),
    errorWithin: (path) => problemWithin(problems, path),
    check,
    discard,
    save,
    isSaving,
    failure: failed && (failed.failure.errors.length === 0 || refused.length > 0) ? failed.failure : null,
    conflict:
      conflicts.length === 0
        ? null
        : {
            who: saved.changedBy.name,
            when: saved.updatedAt,
            settings: conflicts,
            isAsked,
            ask: () => setAsked(true),
            close: () => setAsked(false),
            resolve,
          },
    joined: conflicts.length > 0 ? null : joined,
    isKept: (kept.isKept || sync.isOnServer) && unread.isKept,
    isOnServer: sync.isOnServer && unread.list.length === 0,
    others: sync.others,
    take,
    isLoading: kept.isLoading,
  }
}

/**
 * Drops an edit that equals the saved state. The saved state is refetched before one of an earlier visit is dropped.
 *
 * @param isQuiet whether the edit shows no change and no save is in progress
 */
function useForgetSpent(
  { value: edit, base, origin, isLoading, discard }: Draft<KeptEdit>,
  saved: SavedContent,
  isQuiet: boolean,
  readAgain: () => Promise<void>,
): void {
  const [isNewest, setNewest] = useState(false)
  const hasAsked = useRef(false)
  useEffect(() => {
    if (edit === null || base === null || isLoading || !isQuiet) return
    const based = { edit, base }
    if (isSpent(based, saved, origin, isNewest)) discard()
    else if (!hasAsked.current && isSpent(based, saved, origin, true)) {
      hasAsked.current = true
      // Without a response, the edit is kept until the page is opened again.
      readAgain().then(
        () => setNewest(true),
        () => undefined,
      )
    }
  })
}

/**
 * Saves an edit; others' saves in between are merged with it by field, and it is resent. Null: a field was changed on both sides,
 * and the server's newest response is in the cache. Throws `CallFailure`, whose paths are those of the last attempt.
 */
async function saveJoined(
  resource: ReturnType<typeof useConfigResource>,
  { sent, from, ended }: { sent: ConfigContent; from: SavedContent; ended: SavedChanges | undefined },
  onJoin: (content: ConfigContent) => void,
): Promise<(SaveOutcome & { answer: SavedContent }) | null> {
  let [content, base] = [sent, from]
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await resource.update(content, base.versionId, ended)
      const joined = changesBetween(sent, content).length
      return { answer, versionNumber: answer.versionNumber, joined, who: base.changedBy.name }
    } catch (error) {
      if (asCallFailure(error).code !== 'version_conflict' || tries === MOST_TRIES) throw error
    }
    base = await resource.read()
    const merged = mergeContents(contentOf(from), sent, contentOf(base))
    if (merged.conflicts.length > 0) return null
    content = merged.content
    onJoin(content)
  }
}

/** The server's refusals whose settings have not changed since. */
function stillRefused(
  failed: { failure: CallFailure; content: ConfigContent } | null,
  content: ConfigContent,
): readonly FieldError[] {
  if (failed === null) return []
  return failed.failure.errors.filter(({ path }) =>
    isSameJson(valueAt(failed.content, path), valueAt(content, path)),
  )
}
