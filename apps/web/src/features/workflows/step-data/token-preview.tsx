import { previewOf } from '@troupe/editor/tokens/run-sample'
import { replacements, type TokenFix, tokenOf } from '@troupe/editor/tokens/token-fixes'
import { use, useDeferredValue, useMemo } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { stepDataWords as words } from '../../../core/messages/en/workflows/step-data.ts'
import { excerptOf } from '../../../core/workflows/value-excerpt.ts'
import styles from './step-data.module.css'
import { SampleOfStep } from './step-sample.ts'

/** Characters of a resolved text that are shown. */
const MAX_SHOWN = 400

/** A text with its tokens resolved by the values of the chosen run, or why that run would fail here. */
export function TokenPreview({ template }: { template: unknown }) {
  const { sample, tokens } = use(SampleOfStep)
  const text = useDeferredValue(template)
  const preview = useMemo(() => (sample === null ? null : previewOf(text, sample)), [sample, text])
  if (preview === null) return null
  if (preview.kind === 'unknown') {
    return <p className={styles.quiet}>{words.unknown(preview.tokens.join(', '))}</p>
  }
  if (preview.kind === 'fault') {
    const token = tokenOf(preview.sentence)?.token
    return (
      <div className={styles.preview} data-tone="bad">
        <p>
          <span className={styles.quiet}>{words.preview}</span> {preview.sentence}
        </p>
        {token !== undefined && <Fixes fixes={replacements(token, tokens)} />}
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

/** The repairs of findings in a setting, or inside its value. */
export function FixesOfField({ path }: { path: string }) {
  const { fixes } = use(SampleOfStep)
  const own = [...fixes].flatMap(([at, some]) => (at === path || at.startsWith(`${path}.`) ? some : []))
  return <Fixes fixes={own} />
}

function Fixes({ fixes }: { fixes: readonly TokenFix[] }) {
  const { repair } = use(SampleOfStep)
  const byTitle = new Map(fixes.map((fix) => [titleOf(fix), fix]))
  if (byTitle.size === 0) return null
  return (
    <fieldset aria-label={words.fixes} className={styles.fixes}>
      {[...byTitle].map(([title, fix]) => (
        <Button key={title} size="small" onPress={() => repair(fix)}>
          {title}
        </Button>
      ))}
    </fieldset>
  )
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
