import { type KnownToken, matchingTokens } from '@troupe/editor/tokens/known-tokens'
import {
  completedToken,
  droppedBeside,
  newTokenAt,
  type OpenToken,
  openTokenAt,
} from '@troupe/editor/tokens/open-token'
import { type KeyboardEvent, type ReactNode, use, useEffect, useId, useRef, useState } from 'react'
import { wholeNumber } from '../../../core/format/numbers.ts'
import { fieldWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { SampleOfStep } from '../step-data/step-sample.ts'
import { TokenPreview } from '../step-data/token-preview.tsx'
import { ValueLine } from '../step-data/value-line.tsx'
import styles from './token-completion.module.css'
import { TokensOfStep } from './tokens-of-step.ts'

/** Maximum listed tokens. */
const MAX_SHOWN = 50

type TextControl = HTMLInputElement | HTMLTextAreaElement

/** The suggestions: the position of the token, and the selected one. */
interface Offer {
  open: OpenToken
  active: number
}

/**
 * Suggests the tokens available to a step while one is typed into the field inside: after `{{`, and with Ctrl+Space, each with its value in
 * the selected run. Arrow keys select, Enter and Tab insert, Escape closes the list. Below the field is its resolved text in that run.
 *
 * @param value of the field, for the resolved text
 */
export function TokenCompletion({ value, children }: { value: unknown; children: ReactNode }) {
  const tokens = use(TokensOfStep)
  const { lastField } = use(SampleOfStep)
  const around = useRef<HTMLDivElement>(null)
  const listId = useId()
  const [offer, setOffer] = useState<Offer | null>(null)
  const found = offer === null ? [] : matchingTokens(tokens, offer.open.typed)
  const shown = found.slice(0, MAX_SHOWN)
  const active = offer === null ? 0 : Math.min(offer.active, shown.length - 1)
  const isShown = shown.length > 0
  const optionId = (index: number) => `${listId}-${index}`
  useDescribed(around, isShown ? { listId, activeId: optionId(active) } : null)

  const look = () => {
    const control = controlIn(around.current)
    const caret =
      control === null || control.selectionStart !== control.selectionEnd ? null : control.selectionStart
    const open = control === null || caret === null ? null : openTokenAt(control.value, caret)
    setOffer((before) =>
      open === null ? null : { open, active: before?.open.typed === open.typed ? before.active : 0 },
    )
  }
  /** A token that is dropped into another one would split it. */
  const keepTokens = () => {
    const control = controlIn(around.current)
    const { selectionStart: from, selectionEnd: to } = control ?? {}
    if (!control || typeof from !== 'number' || typeof to !== 'number') return
    const beside = droppedBeside(control.value, from, to)
    if (beside === null) return
    control.setRangeText(beside.value, 0, control.value.length)
    control.setSelectionRange(beside.from, beside.to)
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const insert = (token: KnownToken) => {
    const control = controlIn(around.current)
    if (control === null || offer === null) return
    control.setRangeText(completedToken(token.path), offer.open.from, offer.open.to, 'end')
    control.dispatchEvent(new Event('input', { bubbles: true }))
    control.focus()
    setOffer(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const control = controlIn(around.current)
    if (control === null || event.target !== control) return
    const done = () => {
      event.preventDefault()
      event.stopPropagation()
    }
    if (event.key === ' ' && event.ctrlKey && tokens.length > 0) {
      done()
      const caret = control.selectionStart ?? control.value.length
      return setOffer({ open: openTokenAt(control.value, caret) ?? newTokenAt(caret), active: 0 })
    }
    const chosen = shown[active]
    if (offer === null || chosen === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const move = (by: number) => setOffer({ ...offer, active: (active + by + shown.length) % shown.length })
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) insert(chosen)
    else if (event.key === 'Escape') setOffer(null)
    else return
    done()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the field inside
    <div
      ref={around}
      className={styles.around}
      onKeyDownCapture={onKeyDown}
      onInput={(event) => {
        const { nativeEvent } = event
        if (nativeEvent instanceof InputEvent && nativeEvent.inputType === 'insertFromDrop') keepTokens()
        look()
      }}
      onKeyUp={(event) => {
        if (offer !== null && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) look()
      }}
      onClick={(event) => {
        if (event.target === controlIn(around.current)) look()
      }}
      onFocus={() => {
        lastField.current = controlIn(around.current)
      }}
      onBlur={() => setOffer(null)}
    >
      {children}
      {isShown && (
        <div className={styles.list}>
          <div id={listId} role="listbox" aria-label={words.tokensToInsert} className={styles.options}>
            {shown.map((token, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
              <div
                key={token.path}
                id={optionId(index)}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                className={styles.option}
                // Keeps the focus in the field.
                onPointerDown={(event) => event.preventDefault()}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => insert(token)}
              >
                <span className={styles.path}>{token.path}</span>
                <span className={styles.facts}>
                  <ValueLine value={token.value} className={styles.value} />
                  <span className={styles.source}>{sourceOf(token)}</span>
                </span>
              </div>
            ))}
          </div>
          <p className={styles.hint}>
            {found.length > shown.length
              ? words.moreTokens(wholeNumber(found.length - shown.length))
              : words.tokenKeys}
          </p>
        </div>
      )}
      <TokenPreview template={value} />
      <span role="status" className="visually-hidden">
        {isShown ? words.tokensFound(found.length) : ''}
      </span>
    </div>
  )
}

function controlIn(around: HTMLElement | null): TextControl | null {
  const control = around?.querySelector('input, textarea')
  return control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement ? control : null
}

function sourceOf({ source, stepName, type }: KnownToken): string {
  const what = words.tokenSources[source](stepName ?? '')
  const kind = type === null ? undefined : words.tokenTypes[type]
  return kind === undefined ? what : `${what} · ${kind}`
}

/** Associates the field with its list and selected option for screen readers. */
function useDescribed(
  around: { readonly current: HTMLElement | null },
  list: { listId: string; activeId: string } | null,
): void {
  const [listId, activeId] = [list?.listId ?? null, list?.activeId ?? null]
  useEffect(() => {
    const control = controlIn(around.current)
    if (control === null || listId === null || activeId === null) return
    control.setAttribute('aria-autocomplete', 'list')
    control.setAttribute('aria-controls', listId)
    control.setAttribute('aria-activedescendant', activeId)
    // The list may start below the edge of the panel.
    document.getElementById(listId)?.parentElement?.scrollIntoView({ block: 'nearest' })
    document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
    return () => {
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant'])
        control.removeAttribute(name)
    }
  }, [around, listId, activeId])
}
