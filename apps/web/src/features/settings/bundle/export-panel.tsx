import { Package } from 'lucide-react'
import { RadioGroup } from '../../../atoms/controls/choices.tsx'
import { Toggle } from '../../../atoms/controls/toggles.tsx'
import { Empty } from '../../../atoms/states/panels.tsx'
import { bundleWords } from '../../../core/messages/en/settings/bundle.ts'
import { choiceParam, flagParam, textParam } from '../../../core/url/search-params.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { BundlePreviewPanel } from '../../../parts/export-bundle/bundle-preview-panel.tsx'
import styles from './bundle.module.css'
import { ItemChooser } from './item-chooser.tsx'

const WHATS = ['whole', 'some'] as const
const PARAMS = { what: choiceParam(WHATS, 'whole'), include: textParam, alone: flagParam }

/** The organization, or a part of it, as a bundle. The selection is in the URL. */
export function ExportPanel() {
  const [{ what, include, alone }, setParams] = useSearchParams(PARAMS)
  const chosen = include === '' ? [] : include.split(',')
  const isSome = what === 'some'
  return (
    <div className={styles.stack}>
      <div className={styles.choice}>
        <RadioGroup
          label={bundleWords.what}
          isLabelHidden
          value={what}
          onChange={(next) => setParams({ what: next })}
          options={WHATS.map((id) => ({ id, label: bundleWords[id], detail: bundleWords[`${id}Detail`] }))}
        />
        {isSome && (
          <Toggle
            isSelected={!alone}
            onChange={(isOn) => setParams({ alone: !isOn })}
            description={bundleWords.dependenciesDetail}
          >
            {bundleWords.dependencies}
          </Toggle>
        )}
      </div>
      {isSome && <ItemChooser chosen={chosen} onChange={(next) => setParams({ include: next.join(',') })} />}
      {isSome && chosen.length === 0 ? (
        <Empty picture={<Package size={22} />} title={bundleWords.nothingChosen}>
          {bundleWords.chooseFirst}
        </Empty>
      ) : (
        <BundlePreviewPanel include={isSome ? chosen : null} dependencies={!alone} name={null} />
      )}
    </div>
  )
}
