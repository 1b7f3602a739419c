import type { BundlePreview } from '@troupe/contract/builder'
import { Button } from '../../../atoms/controls/button.tsx'
import { TextDiff } from '../../../atoms/diff/text-diff.tsx'
import { Disclosure } from '../../../atoms/layout/disclosure.tsx'
import { Card } from '../../../atoms/layout/page.tsx'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { FailurePanel, type FailurePanelProps } from '../../../atoms/states/failure-panel.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { readableText, withoutEmpty } from '../../../core/format/readable-text.ts'
import { bundleWords } from '../../../core/messages/en/settings/bundle.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import styles from './bundle.module.css'
import { BundleWarnings } from './bundle-warnings.tsx'
import { PlanErrors } from './plan-errors.tsx'

/** Maximum number of changes that are expanded initially; new items are long. */
const FEW = 3

export interface PlanSectionProps {
  preview: BundlePreview
  /** The text that was planned. */
  text: string
  /** The text has changed since. */
  isOutdated: boolean
  isApplying: boolean
  failure: FailurePanelProps['failure']
  onApply(): void
  /** Plans the bundle of another organization for this one. */
  onAdopt(): void
  onGoTo(line: number): void
}

/** The changes of applying a bundle, item by item; or its problems. */
export function PlanSection(props: PlanSectionProps) {
  const { preview, text, isOutdated, isApplying, failure, onApply, onAdopt, onGoTo } = props
  const { membership } = usePlace()
  const { changes, errors, warnings } = preview
  if (errors.some(({ reason }) => reason === 'other_organization')) {
    return (
      <Callout tone="info">
        <div className={styles.hint}>
          <span>{bundleWords.hereDetail(membership.name)}</span>
          <Button emphasis="primary" onPress={onAdopt}>
            {bundleWords.here}
          </Button>
        </div>
      </Callout>
    )
  }
  if (errors.length > 0) return <PlanErrors errors={errors} text={text} onGoTo={onGoTo} />
  if (changes.length === 0) return <Callout tone="good">{bundleWords.nothing}</Callout>
  const created = changes.filter(({ action }) => action === 'create').length
  const updated = changes.length - created
  return (
    <>
      <div className={styles.counts}>
        {created > 0 && <Badge tone="good">{bundleWords.creates(created)}</Badge>}
        {updated > 0 && <Badge tone="info">{bundleWords.updates(updated)}</Badge>}
      </div>
      <Card flush>
        {changes.map((change, index) => (
          <ChangeRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the change
            key={index}
            change={change}
            isOpenAtFirst={changes.length <= FEW && change.action === 'update'}
          />
        ))}
      </Card>
      <BundleWarnings title={bundleWords.planWarnings} warnings={warnings} onGoTo={onGoTo} />
      <FailurePanel title={bundleWords.applyFailed} failure={failure} />
      <div className={styles.buttons}>
        <SendButton emphasis="primary" isPending={isApplying} isDisabled={isOutdated} onPress={onApply}>
          {bundleWords.apply(changes.length)}
        </SendButton>
      </div>
    </>
  )
}

function ChangeRow({
  change,
  isOpenAtFirst,
}: {
  change: BundlePreview['changes'][number]
  isOpenAtFirst: boolean
}) {
  const { kind, name, action, before, after } = change
  return (
    <Disclosure
      isOpenAtFirst={isOpenAtFirst}
      title={
        <>
          <span className={styles.name}>{name}</span>
          <span className={styles.faint}>{kindName(kind)}</span>
        </>
      }
      end={<Badge tone={action === 'create' ? 'good' : 'info'}>{bundleWords.actions[action]}</Badge>}
    >
      <TextDiff
        label={bundleWords.diffOf(name)}
        before={before === null ? '' : readableText(before)}
        after={readableText(before === null ? withoutEmpty(after) : after)}
        isMono
        around={2}
      />
    </Disclosure>
  )
}

function kindName(kind: string): string {
  const names: Readonly<Record<string, string>> = bundleWords.kindNames
  return names[kind] ?? kind.replaceAll('_', ' ')
}
