import type { AppliedBundle } from '@troupe/contract'
import type { Ref } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { CopyField } from '../../../atoms/controls/copy-field.tsx'
import { Card } from '../../../atoms/layout/page.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { bundleWords } from '../../../core/messages/en/settings/bundle.ts'
import styles from './bundle.module.css'
import { BundleWarnings } from './bundle-warnings.tsx'

export interface AppliedSectionProps {
  applied: AppliedBundle
  ref: Ref<HTMLDivElement>
  onNext(): void
}

type Counts = AppliedBundle['organizations'][number]['agents']

/** The result of a bundle, and the created secrets, which are shown only here. */
export function AppliedSection({ applied, ref, onNext }: AppliedSectionProps) {
  const counts = applied.organizations.flatMap((organization) => Object.values(organization).filter(isCounts))
  const sum = (of: keyof Counts) => counts.reduce((total, part) => total + part[of], 0)
  const keys = applied.organizations.flatMap(({ mintedKeys }) => mintedKeys)
  const passwords = applied.organizations.flatMap(({ mintedPasswords }) => mintedPasswords)
  const hasSecrets = keys.length + passwords.length > 0
  return (
    <div ref={ref} tabIndex={-1} className={styles.stack}>
      <Callout tone="good">
        <strong>{bundleWords.applied}</strong>{' '}
        {bundleWords.appliedCounts(sum('created'), sum('updated'), sum('unchanged'))}
      </Callout>
      <BundleWarnings title={bundleWords.appliedWarnings} warnings={applied.warnings} />
      {hasSecrets && (
        <Card>
          <Callout tone="warn">{bundleWords.mintedOnce}</Callout>
          {keys.map(({ name, secret }) => (
            <CopyField key={name} label={bundleWords.mintedKey(name)} text={secret} />
          ))}
          {passwords.map(({ email, password }) => (
            <CopyField key={email} label={bundleWords.mintedPassword(email)} text={password} />
          ))}
        </Card>
      )}
      <div className={styles.buttons}>
        <Button emphasis="primary" onPress={onNext}>
          {hasSecrets ? bundleWords.done : bundleWords.next}
        </Button>
      </div>
    </div>
  )
}

function isCounts(part: unknown): part is Counts {
  return typeof part === 'object' && part !== null && 'created' in part
}
