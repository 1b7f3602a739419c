import { Button } from '../../atoms/controls/button.tsx'
import { useMedia } from '../../atoms/layout/use-media.ts'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { DraftMark } from '../../atoms/states/badge.tsx'
import { unsavedWords as words } from '../../core/messages/en/agents/unsaved.ts'
import styles from './unsaved.module.css'
import type { ConfigDraft } from './use-config-draft.ts'

/** As in `unsaved.module.css`. */
const NARROW = '(max-width: 47.99rem)'

export interface SaveRowProps {
  draft: ConfigDraft
  /** The reason why the user may not save; null: allowed. */
  refusal: string | null
  onAsk(question: 'review' | 'discard'): void
  onSave(): void
}

/** The number of unsaved changes, and their actions. On a phone it is one line, because space is limited. */
export function SaveRow({ draft, refusal, onAsk, onSave }: SaveRowProps) {
  const isNarrow = useMedia(NARROW)
  const users = usersOf(draft)
  const saveLabel = words.save(users)
  return (
    <div className={styles.row}>
      <DraftMark>{words.count(unsavedCount(draft))}</DraftMark>
      <span className={styles.hint}>{isNarrow && draft.isKept ? words.liveFor(users) : hintOf(draft)}</span>
      <div className={styles.buttons}>
        {isNarrow ? (
          <ActionMenu
            label={words.more}
            groups={[
              {
                id: 'changes',
                entries: [
                  { id: 'review', label: words.review, onAction: () => onAsk('review') },
                  {
                    id: 'discard',
                    label: words.discard,
                    isDanger: true,
                    isDisabled: draft.isSaving,
                    onAction: () => onAsk('discard'),
                  },
                ],
              },
            ]}
          />
        ) : (
          <>
            <Button emphasis="quiet" onPress={() => onAsk('discard')} isDisabled={draft.isSaving}>
              {words.discard}
            </Button>
            <Button onPress={() => onAsk('review')}>{words.review}</Button>
          </>
        )}
        <RefusableButton
          emphasis="primary"
          refusal={refusal}
          isPending={draft.isSaving}
          onPress={onSave}
          {...(isNarrow ? { 'aria-label': saveLabel } : {})}
        >
          {isNarrow ? words.saveKey : saveLabel}
        </RefusableButton>
      </div>
    </div>
  )
}

/** Changes, and unparsable JSON texts. */
export function unsavedCount({ changes, unread }: ConfigDraft): number {
  return changes.length + unread.list.length
}

function hintOf({ isKept, isOnServer, joined }: ConfigDraft): string {
  if (!isKept) return words.notKept
  if (joined) return words.joined(joined.who, joined.settings)
  return isOnServer ? words.keptEverywhere : words.keptHere
}

function usersOf({ saved: { usedBy } }: ConfigDraft) {
  const count = (kind: (typeof usedBy)[number]['kind']) => usedBy.filter((one) => one.kind === kind).length
  return { agent: count('agent'), team: count('team'), workflow: count('workflow') }
}
