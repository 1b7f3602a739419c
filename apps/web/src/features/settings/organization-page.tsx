import type { Organization } from '@troupe/contract/builder'
import { CopyField } from '../../atoms/controls/copy-field.tsx'
import { NumberField } from '../../atoms/controls/number-field.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { focusNext, pageHeading } from '../../atoms/focus/focus-next.ts'
import { Card, FormLayout, Section } from '../../atoms/layout/page.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { ContestedNote } from '../../atoms/states/contested-note.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { RestoredNote } from '../../atoms/states/restored-note.tsx'
import { classNames } from '../../atoms/styles/class-names.ts'
import { wholeNumber } from '../../core/format/numbers.ts'
import { typedDifferences } from '../../core/forms/typed-fields.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { useSaveKey } from '../../parts/unsaved/use-save-key.ts'
import { VersionConflict } from '../../parts/unsaved/version-conflict.tsx'
import styles from './settings.module.css'
import { SettingsLayout } from './settings-layout.tsx'

const words = settingsWords.organization
const RATES = ['rpm', 'concurrentRuns'] as const
const RETENTIONS = ['traceDays', 'runDays'] as const
const LIMITS = [...RATES, ...RETENTIONS] as const
type LimitName = (typeof LIMITS)[number]
const PATHS = ['name', 'slug', ...LIMITS.map((name) => `limits.${name}`)]

/** Settings → Organization: name, address and limits. */
export function OrganizationPage() {
  const organization = useOperation('getOrganization', {})
  return (
    <SettingsLayout
      page="organization"
      detail={words.detail}
      requests={[{ title: words.curl, operation: 'getOrganization', input: {} }]}
    >
      <AskedPanel asked={organization} failed={words.failed} lines={8}>
        {(data) => <OrganizationForm organization={data} onStale={organization.retry} />}
      </AskedPanel>
    </SettingsLayout>
  )
}

/** The input; an empty number is null. */
type OrganizationFields = { name: string; slug: string } & Record<LimitName, number | null>

interface OrganizationFormProps {
  organization: Organization
  /** Loads the other user's version, which the form then shows. */
  onStale(): void
}

function OrganizationForm({ organization, onStale }: OrganizationFormProps) {
  const { role } = usePlace()
  const refusal = useRefusal('manage')
  const { name, slug, limits, version } = organization
  const stored: OrganizationFields = { name, slug, ...limits }
  const typed = useTypedForm<OrganizationFields>('organization', stored)
  const { fields } = typed
  const save = useChange('updateOrganization', { refreshes: ['getOrganization', 'getSession'] })
  const isReadOnly = refusal !== null
  const send = async (base: number) => {
    const saved = await save.run({ body: { ...changesOf(typed.changed), version: base } })
    // Somebody else may have saved: the dialog shows the current differences.
    if (!saved) return onStale()
    typed.settle()
    showNotice({ title: words.saved })
    // The pressed button is disabled after the save.
    focusNext(pageHeading)
  }
  const isSavable = typed.isChanged && LIMITS.every((one) => fields[one] !== null)
  useSaveKey(refusal, () => isSavable && !save.isPending && void send(version))
  const isStale = (save.failure?.current ?? null) !== null
  const control = controlsOf(typed, save.failure)
  const number = (one: LimitName) => ({
    label: words[one],
    value: fields[one],
    onChange: (value: number | null) => typed.change({ [one]: value }),
    minValue: 1,
    isReadOnly,
    error: fields[one] === null ? words.limitMissing : fieldFailure(save.failure, `limits.${one}`),
  })
  return (
    <FormLayout
      label={settingsWords.pages.organization}
      onSubmit={() => send(version)}
      {...(isReadOnly
        ? {}
        : {
            actions: (
              <SendButton emphasis="primary" type="submit" isPending={save.isPending} isDisabled={!isSavable}>
                {words.save}
              </SendButton>
            ),
          })}
    >
      {refusal !== null && <Callout>{refusal}</Callout>}
      {!isStale && <FailurePanel title={words.saveFailed} failure={formFailure(save.failure, PATHS)} />}
      <RestoredNote typed={typed} />
      <ContestedNote fields={typed.contested.map((field) => words[field])} onTakeTheirs={typed.discard} />
      <Section title={words.identity}>
        <Card>
          <div className={classNames(styles.rows, styles.texts)} data-rows="">
            <TextField label={words.name} {...control('name')} isReadOnly={isReadOnly} maxLength={128} />
            {role === 'owner' ? (
              <TextField
                label={words.slug}
                description={fields.slug === slug ? words.slugDetail : words.slugWarning}
                isMono
                {...control('slug')}
              />
            ) : (
              <CopyField label={words.slug} text={slug} />
            )}
            <CopyField label={words.id} text={organization.organizationId} />
          </div>
        </Card>
      </Section>
      <Section title={words.limits} detail={words.limitsDetail}>
        <Card>
          <div className={styles.rows} data-rows="">
            {RATES.map((one) => (
              <NumberField
                key={one}
                {...number(one)}
                {...(one === 'concurrentRuns'
                  ? {
                      description: words.inFlight(
                        wholeNumber(organization.inFlight),
                        wholeNumber(limits.concurrentRuns),
                      ),
                    }
                  : {})}
              />
            ))}
          </div>
        </Card>
      </Section>
      <Section title={words.retention} detail={words.retentionDetail}>
        <Card>
          <div className={styles.rows} data-rows="">
            {RETENTIONS.map((one) => (
              <NumberField key={one} {...number(one)} unit={words.days} />
            ))}
          </div>
        </Card>
      </Section>
      <VersionConflict
        change={save}
        what={words.noun}
        differences={typedDifferences(typed.changed, stored, words)}
        onTakeTheirs={() => {
          typed.discard()
          onStale()
        }}
        onKeepMine={send}
      />
    </FormLayout>
  )
}

/** The changed fields in the server's format; a cleared number is omitted. */
function changesOf({ name, slug, ...limits }: Partial<OrganizationFields>) {
  const given = Object.entries(limits).filter(([, value]) => value !== null)
  return {
    ...(name === undefined ? {} : { name }),
    ...(slug === undefined ? {} : { slug }),
    ...(given.length === 0 ? {} : { limits: Object.fromEntries(given) }),
  }
}
