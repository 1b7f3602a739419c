import type { Organization } from '@troupe/builder-contract'
import { CopyField } from '../../atoms/controls/copy-field.tsx'
import { Card, Facts, Section } from '../../atoms/layout/page.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { settingsWords } from '../../core/messages/en/settings.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { SettingsLayout } from './settings-layout.tsx'

const words = settingsWords.organization

/** Settings → Organization: name, address and limits. */
export function OrganizationPage() {
  const organization = useOperation('getOrganization', {})
  return (
    <SettingsLayout page="organization" detail={words.detail}>
      <AskedPanel asked={organization} failed={words.failed}>
        {(data) => <OrganizationParts organization={data} />}
      </AskedPanel>
    </SettingsLayout>
  )
}

function OrganizationParts({ organization }: { organization: Organization }) {
  const { limits } = organization
  return (
    <>
      <Section title={words.identity}>
        <Card>
          <Facts
            facts={[
              { name: words.name, value: organization.name },
              { name: words.slug, value: <code>{organization.slug}</code> },
            ]}
          />
          <CopyField label={words.id} text={organization.organizationId} />
        </Card>
      </Section>
      <Section title={words.limits} detail={words.limitsDetail}>
        <Card>
          <Facts
            facts={(['rpm', 'concurrentRuns', 'traceDays', 'runDays'] as const).map((name) => ({
              name: words[name],
              value: wholeNumber(limits[name]),
            }))}
          />
        </Card>
      </Section>
    </>
  )
}
