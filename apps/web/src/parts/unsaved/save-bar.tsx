import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { focusNext, useFocusAfter } from '../../atoms/focus/focus-next.ts'
import { withoutList } from '../../atoms/focus/without-list.ts'
import { useFoot } from '../../atoms/layout/use-foot.ts'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { useSendingRefusal } from '../../atoms/states/sending-refusal.ts'
import { isCallable } from '../../core/agents/is-callable.ts'
import { serverNow } from '../../core/format/server-clock.ts'
import { relativeTime } from '../../core/format/times.ts'
import { type PlacedText, textKey } from '../../core/forms/kept-texts.ts'
import type { SettingWords } from '../../core/forms/setting-words.ts'
import { unreadText } from '../../core/forms/unread-texts.ts'
import type { LabelOf } from '../../core/labels/change-label.ts'
import { unsavedWords as words } from '../../core/messages/en/agents/unsaved.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'
import { useParamsLater } from '../../infrastructure/routing/place.ts'
import { commitField } from './commit-field.ts'
import { SaveRow, unsavedCount } from './save-row.tsx'
import styles from './unsaved.module.css'
import type { ConfigDraft, SaveOutcome } from './use-config-draft.ts'
import type { UnreadTexts } from './use-kept-texts.ts'

// Loaded when opened: the pages of editors are near their size budget.
const MergeDialog = lazyPart(async () => (await import('./merge-dialog.tsx')).MergeDialog)
const ReviewDialog = lazyPart(async () => (await import('./review-dialog.tsx')).ReviewDialog)

const NO_PARAMS = {}
const noWords = () => undefined

export interface SaveBarProps {
  draft: ConfigDraft
  /** The label of a setting: "Temperature" for `config.model.primary.temperature`. */
  labelOf: LabelOf
  /** The labels of the choices of a setting, by its path below `config`. */
  wordsOf?(path: string): SettingWords | undefined
  /** The reason why the user may not save; null: allowed. */
  refusal: string | null
  /** Shows the setting that needs attention, by its path below `config`. */
  onShow(path: string): void
}

/**
 * The unsaved changes, at the bottom of the page: their number, their list, and the callers affected by a save. Hidden without
 * changes; `⌘S` saves, and leaving loses no input.
 */
export function SaveBar({ draft, labelOf, wordsOf = noWords, refusal, onShow }: SaveBarProps) {
  const [question, setQuestion] = useState<'review' | 'discard' | null>(null)
  const offline = useSendingRefusal()
  const { cameFrom, placeBefore } = usePlaceBefore()
  const latest = useRef(draft)
  latest.current = draft
  const isChecking = useRef(false)
  const save = async () => {
    // A second press while the rules are loaded must not send twice.
    if (isChecking.current) return
    isChecking.current = true
    const [problem] = await latest.current.check().finally(() => {
      isChecking.current = false
    })
    const unread = latest.current.unread.list.find(({ isGone }) => !isGone)
    const label = unread ? nameOfText(unread, labelOf) : unreadText()
    if (label !== null) showNotice({ title: words.unread(label), tone: 'bad' })
    if (unread) onShow(unread.path)
    else if (label !== null) return
    else if (problem) onShow(problem.path.replace(/^config\./, ''))
    else {
      const outcome = await latest.current.save()
      if (outcome) sayOutcome(outcome, draft)
    }
  }
  const saveByKey = async () => {
    await commitField()
    if (refusal === null && offline === null) await save()
  }
  useKeys([{ keys: 'mod+s', label: words.saveKey, refusal: refusal ?? offline, run: () => void saveByKey() }])
  const close = () => setQuestion(null)
  return (
    <>
      {draft.isUnsaved && (
        <Bar {...{ cameFrom, placeBefore }}>
          <BarNotes draft={draft} onShow={onShow} labelOf={labelOf} />
          <SaveRow draft={draft} refusal={refusal} onAsk={setQuestion} onSave={() => void save()} />
        </Bar>
      )}
      <LazyDialog>
        {question === 'review' && <ReviewDialog {...{ draft, labelOf, wordsOf }} onClose={close} />}
      </LazyDialog>
      <ConfirmDialog
        isOpen={question === 'discard'}
        onClose={close}
        title={words.discardTitle}
        action={words.discardAction}
        isDanger
        onConfirm={() => {
          draft.discard()
          close()
          focusNext(placeBefore)
        }}
      >
        {words.discardText(unsavedCount(draft))}
      </ConfirmDialog>
      <LazyDialog>
        {draft.conflict?.isAsked && (
          <MergeDialog
            draft={draft}
            conflict={draft.conflict}
            labelOf={labelOf}
            wordsOf={wordsOf}
            onDecided={(outcome) => {
              if (outcome) sayOutcome(outcome, draft)
              focusNext(placeBefore)
            }}
          />
        )}
      </LazyDialog>
    </>
  )
}

interface PlaceBefore {
  /** The focused element before the bar. */
  cameFrom: RefObject<Element | null>
  /** The next focus after the bar; null on another page, which sets its own. */
  placeBefore(): Element | null
}

function usePlaceBefore(): PlaceBefore {
  const cameFrom = useRef<Element | null>(null)
  // The parameters of the first render: while navigating away, the page is already rendered with the address of the next one.
  const paramsOfPage = useRef(useParamsLater(NO_PARAMS))
  const placeBefore = () => {
    if (cameFrom.current?.isConnected) return withoutList(cameFrom.current)
    return paramsOfPage.current() === null ? null : document.getElementById('content')
  }
  return { cameFrom, placeBefore }
}

/** When it disappears with the focus, the focus returns to its previous element. */
function Bar({ cameFrom, placeBefore, children }: PlaceBefore & { children: ReactNode }) {
  const bar = useRef<HTMLElement>(null)
  useFoot(bar, '--save-bar')
  useFocusAfter(bar, placeBefore)
  return (
    <section
      ref={bar}
      data-save-bar
      className={styles.bar}
      aria-label={words.bar}
      onFocus={({ relatedTarget }) => {
        if (relatedTarget !== null && !bar.current?.contains(relatedTarget)) cameFrom.current = relatedTarget
      }}
    >
      {children}
    </section>
  )
}

function BarNotes({ draft, onShow, labelOf }: Pick<SaveBarProps, 'draft' | 'onShow' | 'labelOf'>) {
  const { conflict, problems, failure, unread } = draft
  const places = [...new Set(problems.map(({ path }) => path))]
  return (
    <>
      {conflict && (
        <div className={styles.note}>
          <span>
            {words.meanwhile(
              conflict.who,
              relativeTime(conflict.when, serverNow()),
              conflict.settings.length,
            )}
          </span>
          <Button size="small" onPress={conflict.ask}>
            {words.resolve}
          </Button>
        </div>
      )}
      {unread.list.map((text) => (
        <UnreadNote
          key={textKey(text)}
          text={text}
          name={nameOfText(text, labelOf)}
          unread={unread}
          onShow={onShow}
        />
      ))}
      {places.length > 0 ? (
        <div className={styles.note} role="alert">
          <span>{words.problems(places.length)}</span>
          {places.slice(0, 3).map((path) => (
            <Button
              key={path}
              size="small"
              emphasis="quiet"
              onPress={() => onShow(path.replace(/^config\./, ''))}
            >
              {labelOf(path)}
            </Button>
          ))}
        </div>
      ) : (
        !conflict?.isAsked && <FailurePanel title={words.failed} failure={failure} />
      )}
    </>
  )
}

/** The label of a text: its field, after the item of the field. */
function nameOfText({ path, label, items, isGone }: PlacedText, labelOf: SaveBarProps['labelOf']): string {
  if (!items || isGone) return label
  const place = labelOf(`config.${path}`)
  return place.endsWith(label) ? place : words.partOf(place, label)
}

interface UnreadNoteProps extends Pick<SaveBarProps, 'onShow'> {
  text: PlacedText
  name: string
  unread: UnreadTexts
}

function UnreadNote({ text, name, unread, onShow }: UnreadNoteProps) {
  const { path, isGone } = text
  const drop = () => {
    const bringBack = unread.drop(text)
    const undo = () => {
      bringBack()
      focusNext(() => document.querySelector('[data-save-bar] button'))
    }
    showNotice({ title: words.textDropped(name), action: { label: words.undo, run: undo } })
    focusNext(() => document.querySelector('[data-save-bar] button'))
  }
  return (
    <div className={styles.note}>
      <span>{isGone ? words.unreadGone(name) : words.unreadNote(name)}</span>
      {!isGone && (
        <Button size="small" aria-label={words.showText(name)} onPress={() => onShow(path)}>
          {words.show}
        </Button>
      )}
      <Button size="small" emphasis="quiet" aria-label={words.dropOf(name)} onPress={drop}>
        {words.dropText}
      </Button>
    </div>
  )
}

function sayOutcome({ versionNumber, joined, who }: SaveOutcome, { kind, saved }: ConfigDraft): void {
  const isLive = saved.status === undefined || isCallable(saved.status)
  const detail = joined > 0 ? words.joined(who, joined) : words.savedVersion(versionNumber, kind, isLive)
  showNotice({ title: words.saved, detail })
}
