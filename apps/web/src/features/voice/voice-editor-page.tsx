import type { VoiceConfiguration } from '@troupe/contract/builder'
import { Suspense, useMemo } from 'react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { loadCode } from '../../atoms/parts/load-code.ts'
import { AskedNotes, AskedPanel, type AskedState } from '../../atoms/states/asked-panel.tsx'
import { Badge, DraftMark } from '../../atoms/states/badge.tsx'
import { Avatar, Callout, Skeleton } from '../../atoms/states/panels.tsx'
import { voiceSettingLabel, voiceWordsOf } from '../../core/labels/voice-setting-label.ts'
import { voiceWords } from '../../core/messages/en/voice/voice.ts'
import { voiceEditorWords as words } from '../../core/messages/en/voice/voice-editor.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePathParam } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { showSetting } from '../../parts/config-form/show-setting.ts'
import { useRenameKey } from '../../parts/config-form/use-rename-key.ts'
import { GoneThing } from '../../parts/gone/gone-thing.tsx'
import { NoMediaServer } from '../../parts/media-server/no-media-server.tsx'
import { SaveBar } from '../../parts/unsaved/save-bar.tsx'
import { useConfigDraft } from '../../parts/unsaved/use-config-draft.ts'
import { savedVoice } from '../../parts/unsaved/voice-content.ts'
import { VoiceActions } from './voice-actions.tsx'
import { voiceForm } from './voice-form.ts'
import { VoiceUsers } from './voice-users.tsx'

// Loaded with the page, whose own code is near its size limit.
const editorCode = loadCode(() => import('./voice-editor.tsx'))
const VoiceEditor = lazyPart(async () => (await editorCode).VoiceEditor)

const KeptOfGone = lazyPart(async () => (await import('../../parts/unsaved/kept-of-gone.tsx')).KeptOfGone)

/** One voice configuration: providers, phrases and sound of an agent's voice. */
export function VoiceEditorPage() {
  const { paths } = usePlace()
  const voiceConfigId = usePathParam('voiceConfigId')
  const stored = useOperation('getVoiceConfiguration', { params: { voiceConfigId } })
  const isGone = stored.failure?.code === 'voice_configuration_not_found'
  if (stored.data && !isGone) return <LoadedVoice key={voiceConfigId} stored={stored.data} asked={stored} />
  return (
    <PageLayout
      title={isGone ? words.gone : words.one}
      isBare={isGone}
      crumbs={[{ label: voiceWords.title, href: paths.voice() }]}
    >
      {isGone ? (
        <>
          <GoneThing
            kind="voice_configuration"
            id={voiceConfigId}
            title={words.gone}
            detail={words.goneDetail}
            href={paths.voice()}
            label={words.toAll}
          />
          <Suspense>
            <KeptOfGone kind="voice_configuration" id={voiceConfigId} labelOf={voiceSettingLabel} />
          </Suspense>
        </>
      ) : (
        <AskedPanel asked={stored} failed={words.failed} lines={10}>
          {() => null}
        </AskedPanel>
      )}
    </PageLayout>
  )
}

function LoadedVoice({
  stored,
  asked,
}: {
  stored: VoiceConfiguration
  asked: AskedState<VoiceConfiguration>
}) {
  const { paths } = usePlace()
  const refusal = useRefusal('manage')
  const saved = useMemo(() => savedVoice(stored), [stored])
  const draft = useConfigDraft({ kind: 'voice_configuration', id: stored.voiceConfigId, saved })
  const isArchived = stored.agentStatus === 'archived'
  useRenameKey(refusal, () => showSetting('name'))
  return (
    <PageLayout
      title={stored.agentName}
      lead={<Avatar id={stored.agentId} name={stored.agentName} shape="square" />}
      crumbs={[{ label: voiceWords.title, href: paths.voice() }]}
      mark={
        <>
          {isArchived && <Badge tone="warn">{words.archived}</Badge>}
          {draft.isUnsaved && <DraftMark>{words.unsaved}</DraftMark>}
        </>
      }
      detail={<VoiceUsers stored={stored} />}
      actions={<VoiceActions stored={stored} />}
    >
      <AskedNotes asked={asked} failed={words.failed} />
      <NoMediaServer />
      {refusal !== null && <Callout>{words.readOnly(refusal)}</Callout>}
      {isArchived && <Callout tone="warn">{words.archivedNote}</Callout>}
      <Suspense fallback={<Skeleton lines={10} />}>
        <VoiceEditor
          stored={stored}
          draft={draft}
          form={voiceForm(draft, refusal !== null)}
          refusal={refusal}
        />
      </Suspense>
      <SaveBar
        draft={draft}
        refusal={refusal}
        labelOf={voiceSettingLabel}
        wordsOf={voiceWordsOf}
        onShow={(path) => showSetting(path)}
      />
    </PageLayout>
  )
}
