import { fixesOfFault } from '@troupe/editor/tokens/explain-failure'
import { previewOf } from '@troupe/editor/tokens/run-sample'
import { type TokenFix, writtenToken } from '@troupe/editor/tokens/token-fixes'
import { isSameJson } from '@troupe/editor/values/json-path'
import { use, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { useFocusAfter } from '../../../atoms/focus/focus-next.ts'
import { stepDataWords as words } from '../../../core/messages/en/workflows/step-data.ts'
import { excerptOf } from '../../../core/workflows/value-excerpt.ts'
import styles from './step-data.module.css'
import { SampleOfStep } from './step-sample.ts'

/** Maximum displayed characters of a resolved text. */
const MAX_SHOWN = 400

/** A text with its tokens resolved by the values of the selected run, or the error of that run here. */
export function TokenPreview({ template }: { template: unknown }) {
  const { sample, tokens, fixes, reported } = use(SampleOfStep)
  const text = useDeferredValue(template)
  const preview = useMemo(() => (sample === null ? null : previewOf(text, sample)), [sample, text])
  if (preview === null || sample === null) return null
  if (preview.kind === 'unknown') {
    const others = preview.tokens.filter((token) => !reported.has(token))
    return others.length === 0 ? null : <p className={styles.quiet}>{words.unknown(others.join(', '))}</p>
  }
  if (preview.kind === 'fault') {
    const token = writtenToken(preview.sentence)
    const offered = [...fixes.values()].flat()
    const repairs = fixesOfFault(preview.sentence, sample, tokens)
    // The finding above says the same of the token, with its repair.
    if (token !== null && reported.has(token)) {
      return <Fixes fixes={repairs.filter((fix) => offered.every((one) => one.token !== fix.token))} />
    }
    return (
      <div className={styles.preview} data-tone="bad">
        <p>
          <span className={styles.quiet}>{words.preview}</span> {preview.sentence}
        </p>
        <Fixes fixes={repairs.filter((fix) => offered.every((one) => !isSameJson(one, fix)))} />
      </div>
    )
  }
  const { value, absent } = preview
  const { text: shown, isCut } = excerptOf(value, MAX_SHOWN)
  return (
    <p className={styles.preview}>
      <span className={styles.quiet}>{words.preview}</span>{' '}
      {value === null ? (
        <i>{words.absent}</i>
      ) : shown === '' ? (
        <i>{words.empty}</i>
      ) : (
        <span translate="no">{shown}</span>
      )}
      {isCut && <span className={styles.quiet}> {words.cut}</span>}
      {value !== null && absent.length > 0 && (
        <span className={styles.quiet}> {words.absentIn(absent.join(', '))}</span>
      )}
    </p>
  )
}

/** The repairs of findings in a setting, or inside its value. */
export function FixesOfField({ path }: { path: string }) {
  const { fixes } = use(SampleOfStep)
  const own = [...fixes].flatMap(([at, some]) => (at === path || at.startsWith(`${path}.`) ? some : []))
  return <Fixes fixes={own} />
}

function Fixes({ fixes }: { fixes: readonly TokenFix[] }) {
  return fixes.length === 0 ? null : <FixButtons fixes={fixes} />
}

function FixButtons({ fixes }: { fixes: readonly TokenFix[] }) {
  const { repair } = use(SampleOfStep)
  const around = useRef<HTMLFieldSetElement>(null)
  const field = useRef<Element>(null)
  useLayoutEffect(() => {
    field.current = fieldBefore(around.current)
  })
  // The buttons disappear with the fault, some with the next check of the server.
  useFocusAfter(around, () => field.current)
  return (
    <fieldset ref={around} aria-label={words.fixes} className={styles.fixes}>
      {[...new Map(fixes.map((fix) => [titleOf(fix), fix]))].map(([title, fix]) => (
        <Button key={title} size="small" onPress={() => repair(fix)}>
          {title}
        </Button>
      ))}
    </fieldset>
  )
}

/** The field above its repairs. */
function fieldBefore(fixes: Element | null): Element | null {
  if (fixes === null) return null
  const fields = fixes.closest('[data-of]')?.querySelectorAll('input:not([type="hidden"]), textarea') ?? []
  const isAbove = (field: Element) =>
    (field.compareDocumentPosition(fixes) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return [...fields].findLast(isAbove) ?? null
}

function titleOf(fix: TokenFix): string {
  switch (fix.kind) {
    case 'replace':
      return words.fix.replace(fix.path)
    case 'require':
      return words.fix.require(fix.name)
    case 'guard':
    case 'bring-together':
      return words.fix[fix.kind]
    default:
      return fix satisfies never
  }
}
