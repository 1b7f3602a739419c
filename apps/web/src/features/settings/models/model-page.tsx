import type { LlmConfiguration, ProviderForm } from '@troupe/contract/builder'
import { Suspense, useState } from 'react'
import { LazyDialog } from '../../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../../atoms/overlays/menu.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { loadCode } from '../../../atoms/parts/load-code.ts'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { Skeleton } from '../../../atoms/states/panels.tsx'
import { moveWords } from '../../../core/messages/en/parts/move.ts'
import { bundleWords, curlWords } from '../../../core/messages/en/settings/bundle.ts'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import { draftOfConfiguration } from '../../../core/models/model-draft.ts'
import { useEntryRefusal } from '../../../infrastructure/queries/use-entry-refusal.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { useGoTo, usePathParam } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { showSetting } from '../../../parts/config-form/show-setting.ts'
import { useRenameKey } from '../../../parts/config-form/use-rename-key.ts'
import { ExportThing } from '../../../parts/export-bundle/export-thing.tsx'
import { GoneThing } from '../../../parts/gone/gone-thing.tsx'
import { MoveThing } from '../../../parts/move-things/move-thing.tsx'
import { SettingsLayout } from '../settings-layout.tsx'
import { ModelFacts } from './model-facts.tsx'
import { useModelForm } from './use-model-form.ts'
import { UsesSection } from './uses-section.tsx'

// Loaded when opened: the page is near its size budget. Requested together with the page.
const formCode = loadCode(() => import('./model-form-layout.tsx'))
const ModelFormLayout = lazyPart(async () => (await formCode).ModelFormLayout)
const DeleteModelDialog = lazyPart(async () => (await import('./delete-model-dialog.tsx')).DeleteModelDialog)
const ShowAsCurlDialog = lazyPart(
  async () => (await import('../../../parts/show-as-curl/show-as-curl-action.tsx')).ShowAsCurlDialog,
)
/** One configuration: its connection, models, a test, and its uses. */
export function ModelPage() {
  const { paths } = usePlace()
  const llmConfigId = usePathParam('llmConfigId')
  const configuration = useOperation('getLlmConfiguration', { params: { llmConfigId } })
  const providers = useOperation('listProviders', {})
  const { data, failure } = configuration
  const isGone = failure?.code === 'llm_configuration_not_found'
  return (
    <SettingsLayout
      page="models"
      title={isGone ? words.goneTitle : (data?.name ?? words.one)}
      isBare={isGone}
      crumb
      {...(data && !isGone
        ? {
            mark: <StateBadges configuration={data} />,
            actions: <PageActions configuration={data} />,
          }
        : {})}
    >
      {isGone ? (
        <GoneThing
          kind="llm_configuration"
          id={llmConfigId}
          title={words.goneTitle}
          detail={words.gone}
          href={paths.settings('models')}
          label={words.goneAction}
        />
      ) : (
        <AskedPanel asked={providers} failed={words.failed} lines={10}>
          {({ data: all }) => (
            <AskedPanel asked={configuration} failed={words.failed} lines={10}>
              {(stored) => {
                const provider = all.find(({ providerId }) => providerId === stored.providerId)
                return provider ? (
                  <StoredModel
                    key={stored.llmConfigId}
                    provider={provider}
                    stored={stored}
                    onAskAgain={configuration.retry}
                  />
                ) : null
              }}
            </AskedPanel>
          )}
        </AskedPanel>
      )}
    </SettingsLayout>
  )
}

function StateBadges({ configuration }: { configuration: LlmConfiguration }) {
  return (
    <>
      {configuration.default && <Badge tone="info">{words.default}</Badge>}
      {configuration.status === 'disconnected' && <Badge tone="warn">{words.disconnected}</Badge>}
    </>
  )
}

interface StoredModelProps {
  provider: ProviderForm
  stored: LlmConfiguration
  onAskAgain(): void
}

function StoredModel({ provider, stored, onAskAgain }: StoredModelProps) {
  const refusal = useRefusal('manage')
  if (refusal === null) return <EditedModel provider={provider} stored={stored} onAskAgain={onAskAgain} />
  return (
    <>
      <ModelFacts provider={provider} configuration={stored} refusal={refusal} />
      <UsesSection usedBy={stored.usedBy} />
    </>
  )
}

function EditedModel({ provider, stored, onAskAgain }: StoredModelProps) {
  const form = useModelForm(provider, stored, draftOfConfiguration(stored))
  useRenameKey(null, () => showSetting('name'))
  const save = async (version?: number, isJoined?: boolean) => {
    const saved = await form.save.run(version, isJoined)
    if (saved) showNotice({ title: words.saved(saved.name) })
    // Somebody else has saved in the meantime: the dialog compares with their version.
    else onAskAgain()
  }
  return (
    <Suspense fallback={<Skeleton lines={10} />}>
      <ModelFormLayout
        form={form}
        onSave={(version, isJoined) => void save(version, isJoined)}
        onAskAgain={onAskAgain}
      >
        <UsesSection usedBy={stored.usedBy} />
      </ModelFormLayout>
    </Suspense>
  )
}

function PageActions({ configuration }: { configuration: LlmConfiguration }) {
  const { paths } = usePlace()
  const refusedToManage = useEntryRefusal('manage')
  const goTo = useGoTo()
  const [opened, setOpened] = useState<'bundle' | 'curl' | 'delete' | 'move' | null>(null)
  const { llmConfigId, slug, usedBy } = configuration
  const close = () => setOpened(null)
  return (
    <>
      <ActionMenu
        label={words.actions}
        groups={[
          {
            id: 'file',
            entries: [
              {
                id: 'bundle',
                label: bundleWords.exportAction,
                ...refusedToManage,
                onAction: () => setOpened('bundle'),
              },
              { id: 'move', label: moveWords.entry, ...refusedToManage, onAction: () => setOpened('move') },
              { id: 'curl', label: curlWords.action, onAction: () => setOpened('curl') },
            ],
          },
          {
            id: 'end',
            entries: [
              {
                id: 'delete',
                label: words.deleteMenu,
                isDanger: true,
                ...(usedBy.length > 0 ? { isDisabled: true, detail: words.usesDetail } : {}),
                ...refusedToManage,
                onAction: () => setOpened('delete'),
              },
            ],
          },
        ]}
      />
      <LazyDialog>
        {opened === 'move' && (
          <MoveThing
            kind="llm_configuration"
            id={llmConfigId}
            name={configuration.name}
            projectId={configuration.projectId}
            onClose={close}
          />
        )}
        {opened === 'bundle' && (
          <ExportThing include={[`llm_configuration:${llmConfigId}`]} name={slug} onClose={close} />
        )}
        {opened === 'curl' && (
          <ShowAsCurlDialog
            requests={[
              { title: words.curlGet, operation: 'getLlmConfiguration', input: { params: { llmConfigId } } },
              { title: words.curlTest, operation: 'testLlmConfiguration', input: { body: { llmConfigId } } },
            ]}
            onClose={close}
          />
        )}
        {opened === 'delete' && (
          <DeleteModelDialog
            configuration={configuration}
            onClose={close}
            onDeleted={() => goTo(paths.settings('models'), { replace: true })}
          />
        )}
      </LazyDialog>
    </>
  )
}
