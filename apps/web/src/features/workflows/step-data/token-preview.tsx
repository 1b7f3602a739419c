import { fixesOfFault } from '@troupe/editor/tokens/explain-failure'
import { previewOf } from '@troupe/editor/tokens/run-sample'
import type { TokenFix } from '@troupe/editor/tokens/token-fixes'
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
  const { sample, tokens, fixes } = use(SampleOfStep)
  const text = useDeferredValue(template)
  const preview = useMemo(() => (sample === null ? null : previewOf(text, sample)), [sample, text])
  if (preview === null || sample === null) return null
  if (preview.kind === 'unknown') {
    return <p className={styles.quiet}>{words.unknown(preview.tokens.join(', '))}</p>
  }
  if (preview.kind === 'fault') {
    return (
      <div className={styles.preview} data-tone="bad">
        <p>
          <span className={styles.quiet}>{words.preview}</span> {preview.sentence}
        </p>
        <Fixes
          fixes={fixesOfFault(preview.sentence, sample, tokens).filter((fix) => !isOffered(fix, fixes))}
        />
      </div>
    )
  }
  const { text: shown, isCut } = excerptOf(preview.value, MAX_SHOWN)
  return (
    <p className={styles.preview}>
      <span className={styles.quiet}>{words.preview}</span>{' '}
      {shown === '' ? <i>{words.empty}</i> : <span translate="no">{shown}</span>}
      {isCut && <span className={styles.quiet}> {words.cut}</span>}
    </p>
  )
}

/** Whether a finding of the check offers a repair already: it stands below the same field. */
function isOffered(fix: TokenFix, fixes: ReadonlyMap<string, readonly TokenFix[]>): boolean {
  return [...fixes.values()].flat().some((one) => isSameJson(one, fix))
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
