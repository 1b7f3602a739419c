import type { Organization } from '@troupe/builder-contract'
import { useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { CopyField } from '../../atoms/controls/copy-field.tsx'
import { NumberField } from '../../atoms/controls/number-field.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { Card, FormLayout, Section } from '../../atoms/layout/page.tsx'
import { ConflictDialog } from '../../atoms/overlays/conflict-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { relativeTime } from '../../core/format/times.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import { SettingsLayout } from './settings-layout.tsx'

const words = settingsWords.organization
const LIMITS = ['rpm', 'concurrentRuns', 'traceDays', 'runDays'] as const
type LimitName = (typeof LIMITS)[number]
const PATHS = ['name', ...LIMITS.map((name) => `limits.${name}`)]

/** Settings → Organization: name, address and limits. */
export function OrganizationPage() {
  const organization = useOperation('getOrganization', {})
  return (
    <SettingsLayout
      page="organization"
      detail={words.detail}
      requests={[{ title: words.curl, operation: 'getOrganization', input: {} }]}
    >
      <AskedPanel asked={organization} failed={words.failed}>
        {(data) => (
          <OrganizationForm key={data.version} organization={data} onTakeTheirs={organization.retry} />
        )}
      </AskedPanel>
    </SettingsLayout>
  )
}

interface OrganizationFormProps {
  organization: Organization
  /** Asks for the version of somebody else, which replaces this form. */
  onTakeTheirs(): void
}

/** One version of the organization as a form; after a save, the next version is a new form. */
function OrganizationForm({ organization, onTakeTheirs }: OrganizationFormProps) {
  const { may } = usePlace()
  const [name, setName] = useState(organization.name)
  const [limits, setLimits] = useState<Readonly<Record<LimitName, number | null>>>(organization.limits)
  const save = useChange('updateOrganization', { refreshes: ['getOrganization'] })
  const isReadOnly = !may('manage')
  const isChanged =
    name !== organization.name || LIMITS.some((one) => limits[one] !== organization.limits[one])
  const send = async (version: number) => {
    const given = Object.fromEntries(LIMITS.map((one) => [one, limits[one] ?? organization.limits[one]]))
    if (await save.run({ body: { name, limits: given, version } })) showNotice({ title: words.saved })
  }
  const failure = formFailure(save.failure, PATHS)
  const current = save.failure?.current ?? null
  return (
    <FormLayout
      label={settingsWords.pages.organization}
      onSubmit={() => send(organization.version)}
      {...(isReadOnly
        ? {}
        : {
            actions: (
              <Button emphasis="primary" type="submit" isPending={save.isPending} isDisabled={!isChanged}>
                {words.save}
              </Button>
            ),
          })}
    >
      {current === null && <FailurePanel title={words.saveFailed} failure={failure} />}
      <Section title={words.identity}>
        <Card>
          <TextField
            label={words.name}
            value={name}
            onChange={setName}
            isReadOnly={isReadOnly}
            maxLength={128}
            error={fieldFailure(save.failure, 'name')}
          />
          <CopyField label={words.slug} text={organization.slug} />
          <CopyField label={words.id} text={organization.organizationId} />
        </Card>
      </Section>
      <Section title={words.limits} detail={words.limitsDetail}>
        <Card>
          {LIMITS.map((one) => (
            <NumberField
              key={one}
              label={words[one]}
              value={limits[one]}
              onChange={(value) => setLimits((before) => ({ ...before, [one]: value }))}
              minValue={1}
              isReadOnly={isReadOnly}
              error={fieldFailure(save.failure, `limits.${one}`)}
              {...(one === 'concurrentRuns'
                ? {
                    description: words.inFlight(
                      wholeNumber(organization.inFlight),
                      wholeNumber(organization.limits.concurrentRuns),
                    ),
                  }
                : {})}
            />
          ))}
        </Card>
      </Section>
      <ConflictDialog
        isOpen={current !== null}
        onClose={save.reset}
        who={current?.changedBy?.name ?? null}
        when={current ? relativeTime(current.changedAt, Date.now()) : ''}
        what={words.noun}
        isPending={save.isPending}
        onTakeTheirs={() => {
          save.reset()
          onTakeTheirs()
        }}
        onKeepMine={() => void send(current?.number ?? organization.version)}
      />
    </FormLayout>
  )
}
