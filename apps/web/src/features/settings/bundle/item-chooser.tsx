import { MAX_BUNDLE_SELECTION } from '@troupe/contract/builder'
import { Button } from '../../../atoms/controls/button.tsx'
import { CheckboxGroup } from '../../../atoms/controls/choices.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { Card } from '../../../atoms/layout/page.tsx'
import { SearchToolbar } from '../../../atoms/layout/search-toolbar.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { bundleWords } from '../../../core/messages/en/settings/bundle.ts'
import { choiceParam, textParam } from '../../../core/url/search-params.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import styles from './bundle.module.css'
import { CHOOSABLE, CHOOSABLE_KINDS, type ChoosableKind } from './choosable-items.ts'

const PARAMS = { kind: choiceParam(CHOOSABLE_KINDS, 'agent'), q: textParam }

export interface ItemChooserProps {
  /** `agent:<id>` and so on. */
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

/** Selects the resources to export, kind by kind. */
export function ItemChooser({ chosen, onChange }: ItemChooserProps) {
  const [{ kind, q }, setParams] = useSearchParams(PARAMS)
  const countOf = (one: ChoosableKind) => chosen.filter((id) => id.startsWith(`${one}:`)).length
  return (
    <Card>
      <SearchToolbar label={bundleWords.find} value={q} onChange={(text) => setParams({ q: text })}>
        <Select
          label={bundleWords.kind}
          isLabelHidden
          value={kind}
          onChange={(next) => setParams({ kind: next, q: '' })}
          options={CHOOSABLE_KINDS.map((id) => {
            const count = countOf(id)
            return {
              id,
              label: bundleWords.kinds[id],
              ...(count === 0 ? {} : { detail: bundleWords.chosen(count) }),
            }
          })}
        />
        {chosen.length > 0 && (
          <>
            <span className={styles.faint}>{bundleWords.chosen(chosen.length)}</span>
            <Button emphasis="quiet" size="small" onPress={() => onChange([])}>
              {bundleWords.chooseNothing}
            </Button>
          </>
        )}
      </SearchToolbar>
      {chosen.join(',').length > MAX_BUNDLE_SELECTION && <Callout tone="warn">{bundleWords.tooMany}</Callout>}
      <KindItems key={kind} kind={kind} q={q} chosen={chosen} onChange={onChange} />
    </Card>
  )
}

function KindItems({ kind, q, chosen, onChange }: ItemChooserProps & { kind: ChoosableKind; q: string }) {
  const useItems = CHOOSABLE[kind]
  const asked = useItems(q)
  return (
    <AskedPanel asked={asked} failed={bundleWords.listFailed}>
      {({ items, total }) => {
        const shown = new Set(items.map(({ id }) => id))
        const others = chosen.filter((id) => !shown.has(id))
        if (items.length === 0) {
          const label = bundleWords.kinds[kind]
          return (
            <p className={styles.faint}>
              {q === '' ? bundleWords.nothingHere(label) : bundleWords.nothingFound}
            </p>
          )
        }
        return (
          <div className={styles.items}>
            <CheckboxGroup
              label={bundleWords.kinds[kind]}
              isLabelHidden
              options={items}
              value={chosen.filter((id) => shown.has(id))}
              onChange={(ids) => onChange([...others, ...ids])}
            />
            {total > items.length && <p className={styles.faint}>{bundleWords.more(items.length, total)}</p>}
          </div>
        )
      }}
    </AskedPanel>
  )
}
