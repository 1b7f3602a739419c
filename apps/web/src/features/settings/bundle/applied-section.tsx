import { type AppliedBundle, typedKeys } from '@troupe/contract'
import type { Ref } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { CopyField } from '../../../atoms/controls/copy-field.tsx'
import { Card, RowList } from '../../../atoms/layout/page.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { bundleWords } from '../../../core/messages/en/settings/bundle.ts'
import type { OrganizationPaths } from '../../../core/url/paths.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import styles from './bundle.module.css'
import { BundleWarnings } from './bundle-warnings.tsx'

export interface AppliedSectionProps {
  applied: AppliedBundle
  ref: Ref<HTMLDivElement>
  onNext(): void
}

type Counts = AppliedBundle['organizations'][number]['agents']
type Kind = keyof typeof bundleWords.appliedKinds

const KINDS = typedKeys(bundleWords.appliedKinds)

/** The page that lists each kind. A document is on the page of its knowledge base. */
const PAGES: Readonly<Record<Kind, (paths: OrganizationPaths) => string>> = {
  projects: (paths) => paths.settings('projects'),
  members: (paths) => paths.settings('members'),
  apiKeys: (paths) => paths.settings('keys'),
  llmConfigurations: (paths) => paths.settings('models'),
  credentials: (paths) => paths.tools({ tab: 'credentials' }),
  knowledgeBases: (paths) => paths.knowledge,
  documents: (paths) => paths.knowledge,
  skills: (paths) => paths.skills,
  mcpServers: (paths) => paths.tools(),
  agents: (paths) => paths.agents,
  voiceConfigurations: (paths) => paths.voice(),
  trunks: (paths) => paths.phone(),
  phoneNumbers: (paths) => paths.phone({ tab: 'numbers' }),
  teams: (paths) => paths.teams,
  workflows: (paths) => paths.workflows,
  budgets: (paths) => paths.settings('budgets'),
}

/** The result of a bundle by kind, and the created secrets, which are shown only here. */
export function AppliedSection({ applied, ref, onNext }: AppliedSectionProps) {
  const { paths } = usePlace()
  const kinds = KINDS.flatMap((kind) => {
    const counts = applied.organizations.map((organization) => organization[kind])
    const sum = (of: keyof Counts) => counts.reduce((total, part) => total + part[of], 0)
    const [created, updated] = [sum('created'), sum('updated')]
    return created + updated === 0 ? [] : { kind, created, updated }
  })
  const keys = applied.organizations.flatMap(({ mintedKeys }) => mintedKeys)
  const passwords = applied.organizations.flatMap(({ mintedPasswords }) => mintedPasswords)
  const hasSecrets = keys.length + passwords.length > 0
  return (
    <div ref={ref} tabIndex={-1} className={styles.stack}>
      <Callout tone="good">
        <strong>{bundleWords.applied}</strong>
      </Callout>
      {kinds.length > 0 && (
        <Card flush>
          <RowList
            label={bundleWords.appliedTitle}
            rows={kinds.map(({ kind, created, updated }) => ({
              id: kind,
              title: bundleWords.appliedKinds[kind],
              end: bundleWords.appliedCounts(created, updated),
              href: PAGES[kind](paths),
            }))}
          />
        </Card>
      )}
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
