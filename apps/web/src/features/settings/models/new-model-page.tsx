import type { LlmConfiguration, ProviderForm } from '@troupe/contract/builder'
import { Suspense, useEffect, useRef, useState } from 'react'
import { LinkButton } from '../../../atoms/controls/text-link.tsx'
import { Section } from '../../../atoms/layout/page.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { loadCode } from '../../../atoms/parts/load-code.ts'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Skeleton } from '../../../atoms/states/panels.tsx'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import { draftOfProvider } from '../../../core/models/model-draft.ts'
import { optionalParam } from '../../../core/url/search-params.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { useLlmConfigurations } from '../../../infrastructure/queries/use-whole-list.ts'
import { useGoTo, useSearchParams } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { RefusedPanel } from '../refused-settings.tsx'
import { SettingsLayout } from '../settings-layout.tsx'
import { ProviderCards } from './provider-cards.tsx'
import { useModelForm } from './use-model-form.ts'

// Requested together with the page.
const formCode = loadCode(() => import('./model-form-layout.tsx'))
const ModelFormLayout = lazyPart(async () => (await formCode).ModelFormLayout)

const PARAMS = { provider: optionalParam }

/** A new configuration: first the provider, then its key, its models, and a test. */
export function NewModelPage() {
  const { paths } = usePlace()
  const [{ provider: wanted }] = useSearchParams(PARAMS)
  const providers = useOperation('listProviders', {})
  const existing = useLlmConfigurations()
  const refusal = useRefusal('manage')
  const chosen = providers.data?.data.find(({ providerId }) => providerId === wanted)
  return (
    <SettingsLayout
      page="models"
      title={chosen ? chosen.label : words.newTitle}
      crumb
      {...(chosen ? { actions: <LinkButton href={paths.newModel()}>{words.otherProvider}</LinkButton> } : {})}
    >
      {refusal !== null && <RefusedPanel refusal={refusal} />}
      {refusal === null && (
        <AskedPanel asked={providers} failed={words.failed} lines={8}>
          {({ data }) =>
            chosen ? (
              <AskedPanel asked={existing} failed={words.failed} lines={8}>
                {(configurations) => (
                  <NewModelForm
                    key={chosen.providerId}
                    provider={chosen}
                    taken={configurations.map(({ slug }) => slug)}
                  />
                )}
              </AskedPanel>
            ) : (
              <Section title={words.choose} detail={words.chooseDetail}>
                <ProviderCards providers={data} />
              </Section>
            )
          }
        </AskedPanel>
      )}
    </SettingsLayout>
  )
}

function NewModelForm({ provider, taken }: { provider: ProviderForm; taken: readonly string[] }) {
  const { paths, projectId } = usePlace()
  const goTo = useGoTo()
  const form = useModelForm(provider, null, draftOfProvider(provider, projectId, taken), taken)
  const [created, setCreated] = useState<LlmConfiguration | null>(null)
  const save = async () => setCreated(await form.save.run())
  const latest = useRef({ goTo, paths })
  latest.current = { goTo, paths }
  // After the render without the typed secrets, so that nothing prevents leaving this page.
  useEffect(() => {
    if (created === null) return
    showNotice({ title: words.created(created.name) })
    latest.current.goTo(latest.current.paths.model(created.llmConfigId), { replace: true })
  }, [created])
  return (
    <Suspense fallback={<Skeleton lines={10} />}>
      <ModelFormLayout form={form} onSave={() => void save()} onAskAgain={() => undefined} />
    </Suspense>
  )
}
