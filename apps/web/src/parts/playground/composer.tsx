import { ArrowUp, Square } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { MessageField } from '../../atoms/composer/message-field.tsx'
import { Button } from '../../atoms/controls/button.tsx'
import { focusNext } from '../../atoms/focus/focus-next.ts'
import { useFoot } from '../../atoms/layout/use-foot.ts'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { useSendingRefusal } from '../../atoms/states/sending-refusal.ts'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import { DOUBLE_CLICK_MS } from '../../core/playground/double-click.ts'
import type { PlaygroundTurn } from '../../core/playground/turns.ts'
import type { Draft } from '../../infrastructure/drafts/use-draft.ts'
import styles from './playground.module.css'

export interface ComposerProps {
  /** The unsent message. */
  typed: Draft<string>
  name: string
  turns: readonly PlaygroundTurn[]
  onStop(turn: PlaygroundTurn): void
  isDisabled: boolean
  /** Another bar is at the bottom of the page. */
  isLifted: boolean
  /** The caller, in the frame of the message. */
  caller: ReactNode
  onSend(message: string): void
}

/** Maximum characters of a message to a run. */
export const LONGEST_MESSAGE = 100_000

/** A message is kept until a run has accepted it: a refused one is still there, even after leaving the page. */
function useTakenMessage(last: PlaygroundTurn | undefined, typed: Draft<string>): void {
  // A message accepted before the composer mounted is not its current input.
  const taken = useRef<string | null>(last === undefined || last.run.runId === null ? null : last.key)
  useEffect(() => {
    if (!last || last.run.runId === null || taken.current === last.key) return
    taken.current = last.key
    if (typed.value === last.message) typed.discard()
  })
}

/** Moves the caret after the text of the composer. */
export function focusComposerEnd(): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLTextAreaElement>('[data-composer] textarea')
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  })
}

/** Focuses the composer when the focused element disappears with its press. */
export function focusComposer(): void {
  focusNext(() => document.querySelector('[data-composer] textarea'))
}

/** The input of the next message; while an answer is in progress, the button stops it. */
export function Composer(props: ComposerProps) {
  const { typed, name, turns, onStop, isDisabled, isLifted, caller, onSend } = props
  const busy = turns.filter(({ phase }) => phase !== 'settled')
  const isStopping = busy.length > 0 && busy.every((turn) => turn.isStopping)
  const last = turns.at(-1)
  const isOnItsWay = last !== undefined && last.phase !== 'settled' && last.run.runId === null
  const message = isOnItsWay && typed.value === last.message ? '' : (typed.value ?? '')
  useTakenMessage(last, typed)
  const sendingRefusal = useSendingRefusal()
  const isBusy = busy.length > 0
  const ActionButton = isBusy || sendingRefusal === null ? Button : SendButton
  const composer = useRef<HTMLDivElement>(null)
  useFoot(composer)
  const hadFocus = composer.current?.contains(document.activeElement) ?? false
  // Without a message, nothing can be sent: the previous stop button is then disabled, and loses the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: uses the focus at the end of the answer
  useLayoutEffect(() => {
    if (hadFocus && !isBusy) focusComposer()
  }, [isBusy])
  /** The turn after which a message was sent. Prevents a second press from sending it twice before it is rendered. */
  const sentAfter = useRef<string | null>(null)
  const newest = last?.key ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the sent message is on the screen
  useEffect(() => {
    sentAfter.current = null
  }, [newest])
  const send = () => {
    if (sendingRefusal !== null || busy.length > 0 || message.trim() === '') return
    if (sentAfter.current === newest) return
    sentAfter.current = newest
    onSend(message)
  }
  const stop = () => {
    // The second press of a double click, on the previous send button.
    if (performance.now() - (last?.sentMs ?? 0) < DOUBLE_CLICK_MS) return
    for (const turn of busy) onStop(turn)
  }
  return (
    <div ref={composer} data-composer className={styles.composer} data-lifted={isLifted || undefined}>
      <MessageField
        label={words.message}
        placeholder={words.placeholder(name)}
        description={words.sendKeys}
        value={message}
        maxLength={LONGEST_MESSAGE}
        isDisabled={isDisabled}
        onChange={(text) => (text === '' ? typed.discard() : typed.edit(text, ''))}
        onSend={send}
        actions={
          // A single button, which keeps the focus while its function changes.
          isBusy ? (
            <ActionButton
              icon={<Square size={12} fill="currentcolor" />}
              isPending={isStopping}
              onPress={stop}
            >
              {isStopping ? words.stopping : words.stop}
            </ActionButton>
          ) : (
            <ActionButton
              emphasis="primary"
              icon={<ArrowUp size={16} />}
              aria-label={words.send}
              isDisabled={isDisabled || message.trim() === ''}
              onPress={send}
            />
          )
        }
      >
        {caller}
        <span className={styles.sendKeys}>{words.sendKeys}</span>
      </MessageField>
    </div>
  )
}
