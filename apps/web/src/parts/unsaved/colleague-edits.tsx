import type { PersonsChanges } from '@troupe/contract/builder'
import { changesBetween, contentOf } from '@troupe/editor/values/config-content'
import { useEffect, useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { Dialog, DialogActions } from '../../atoms/overlays/dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { Callout, Skeleton } from '../../atoms/states/panels.tsx'
import { serverNow } from '../../core/format/server-clock.ts'
import { relativeTime } from '../../core/format/times.ts'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import type { SettingWords } from '../../core/forms/setting-words.ts'
import { changeLabel, type LabelOf } from '../../core/labels/change-label.ts'
import { inFormWords, valuesOfChanges } from '../../core/labels/value-text.ts'
import { unsavedWords as words } from '../../core/messages/en/agents/unsaved.ts'
import { unsavedDialogWords as dialogWords } from '../../core/messages/en/agents/unsaved-dialogs.ts'
import { asCallFailure, type CallFailure } from '../../infrastructure/client/call-failure.ts'
import { useNamedWords } from '../../infrastructure/queries/use-named-words.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import type { TakenBack } from './brought-back.ts'
import { type ConfigEdit, editOnTop, isKeptEdit } from './kept-edit.ts'
import { SettingDiff } from './setting-diff.tsx'
import styles from './unsaved.module.css'
import { unsavedCalls } from './unsaved-calls.ts'
import type { ConfigDraft } from './use-config-draft.ts'

export interface ColleagueEditsProps {
  kind: ConfigKind
  id: string
  draft: ConfigDraft
  labelOf: LabelOf
  wordsOf?(path: string): SettingWords | undefined
}

const noWords = () => undefined

/** Colleagues with unsaved changes of the same agent or team, each with a list of the changes. */
export function ColleagueEdits(props: ColleagueEditsProps) {
  const { others } = props.draft
  const [shown, setShown] = useState<PersonsChanges | null>(null)
  return (
    <div role="status">
      {others.map((person) => (
        <Callout key={person.userId}>
          <div className={styles.colleague}>
            <span>{dialogWords.othersEdit(person.name, relativeTime(person.savedAt, serverNow()))}</span>
            <Button
              size="small"
              aria-label={dialogWords.showOthersOf(person.name)}
              onPress={() => setShown(person)}
            >
              {dialogWords.showOthers}
            </Button>
          </div>
        </Callout>
      ))}
      {shown && <ColleagueDialog {...props} person={shown} onClose={() => setShown(null)} />}
    </div>
  )
}

interface DialogProps extends ColleagueEditsProps {
  person: PersonsChanges
  onClose(): void
}

function ColleagueDialog({ kind, id, draft, labelOf, wordsOf = noWords, person, onClose }: DialogProps) {
  const { name, userId } = person
  const { organizationId } = usePlace().membership
  const [asked, setAsked] = useState<{ edit: ConfigEdit | null } | { failure: CallFailure } | null>(null)
  useEffect(() => {
    let isOpen = true
    unsavedCalls(organizationId, { kind, id }, isKeptEdit)
      .ofPerson(userId)
      .then(
        (edit) => isOpen && setAsked({ edit }),
        (error: unknown) => isOpen && setAsked({ failure: asCallFailure(error) }),
      )
    return () => {
      isOpen = false
    }
  }, [organizationId, kind, id, userId])
  const edit = asked && 'edit' in asked ? asked.edit : null
  const changes = edit
    ? changesBetween(contentOf(draft.saved), editOnTop(edit.edit, edit.base, draft.saved).content)
    : []
  const named = useNamedWords(wordsOf, valuesOfChanges(changes))
  const take = async (given: ConfigEdit) => {
    try {
      const undo = await draft.take(given)
      onClose()
      const run = () => void takeOut(undo, name)
      showNotice({ title: dialogWords.othersTaken(name), action: { label: words.undo, run } })
    } catch (error) {
      setAsked({ failure: asCallFailure(error) })
    }
  }
  return (
    <Dialog isOpen onClose={onClose} title={dialogWords.othersTitle(name)} width="wide">
      {asked === null && <Skeleton lines={4} />}
      {asked && 'failure' in asked && (
        <FailurePanel title={dialogWords.othersFailed} failure={asked.failure} />
      )}
      {asked && 'edit' in asked && changes.length === 0 && <p>{dialogWords.othersNone(name)}</p>}
      {changes.map((change) => (
        <SettingDiff
          key={`${change.path} ${change.kind}`}
          change={inFormWords(change, named)}
          label={changeLabel(change, labelOf)}
        />
      ))}
      {edit && changes.length > 0 && (
        <>
          <p className={styles.hint}>{dialogWords.takeOthersDetail(name)}</p>
          <DialogActions>
            <Button emphasis="quiet" onPress={onClose}>
              {dialogWords.close}
            </Button>
            <Button emphasis="primary" onPress={() => void take(edit)}>
              {dialogWords.takeOthers}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

/** Removes a colleague's changes again, and names the newer input that is kept. */
async function takeOut(undo: () => Promise<TakenBack>, name: string): Promise<void> {
  try {
    const { isChanged, newer } = await undo()
    if (!isChanged) showNotice({ title: dialogWords.othersStay(name) })
    else if (newer > 0)
      showNotice({ title: dialogWords.othersOut(name), detail: dialogWords.newerKept(newer) })
  } catch (error) {
    showNotice({
      tone: 'bad',
      title: dialogWords.othersOutFailed(name),
      detail: asCallFailure(error).message,
      action: { label: words.undo, run: () => void takeOut(undo, name) },
    })
  }
}
