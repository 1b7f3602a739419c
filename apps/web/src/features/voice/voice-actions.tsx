import type { VoiceConfiguration } from '@troupe/contract/builder'
import { Mic } from 'lucide-react'
import { useState } from 'react'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { bundleWords, curlWords } from '../../core/messages/en/settings/bundle.ts'
import { voiceEditorWords as words } from '../../core/messages/en/voice/voice-editor.ts'
import { SERVER_PATHS, withSearch } from '../../core/url/paths.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import { ExportThing } from '../../parts/export-bundle/export-thing.tsx'

const ShowAsCurlDialog = lazyPart(
  async () => (await import('../../parts/show-as-curl/show-as-curl-action.tsx')).ShowAsCurlDialog,
)
/** Actions on a voice as a whole: try, export or delete it. */
export function VoiceActions({ stored }: { stored: VoiceConfiguration }) {
  const { paths, session } = usePlace()
  const refusedToManage = useEntryRefusal('manage')
  const goTo = useGoTo()
  const [opened, setOpened] = useState<'bundle' | 'curl' | 'delete' | null>(null)
  const { voiceConfigId, slug, agentId, agentName, phoneNumbers } = stored
  const close = () => setOpened(null)
  const isUsed = phoneNumbers.length > 0
  return (
    <>
      {session.server.voiceTry && stored.agentStatus !== 'archived' && (
        <LinkButton icon={<Mic size={14} />} href={withSearch(SERVER_PATHS.talk, { agent: agentId })}>
          {words.talk}
        </LinkButton>
      )}
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
              { id: 'curl', label: curlWords.action, onAction: () => setOpened('curl') },
            ],
          },
          {
            id: 'end',
            entries: [
              {
                id: 'delete',
                label: words.remove,
                isDanger: true,
                ...(isUsed ? { isDisabled: true, detail: words.usedDetail } : {}),
                ...refusedToManage,
                onAction: () => setOpened('delete'),
              },
            ],
          },
        ]}
      />
      <LazyDialog>
        {opened === 'bundle' && (
          <ExportThing include={[`voice_configuration:${voiceConfigId}`]} name={slug} onClose={close} />
        )}
        {opened === 'curl' && (
          <ShowAsCurlDialog
            requests={[
              {
                title: words.curlGet,
                operation: 'getVoiceConfiguration',
                input: { params: { voiceConfigId } },
              },
              {
                title: words.curlTest,
                operation: 'testVoiceConfiguration',
                input: { body: { voiceConfigId } },
              },
            ]}
            onClose={close}
          />
        )}
      </LazyDialog>
      {opened === 'delete' && (
        <ConfirmChange
          operation="deleteVoiceConfiguration"
          input={{ params: { voiceConfigId } }}
          refreshes={['listVoiceConfigurations']}
          title={words.deleteTitle(agentName)}
          action={words.deleteAction}
          failed={words.deleteFailed}
          done={words.deleted}
          onClose={close}
          onDone={() => goTo(paths.voice(), { replace: true })}
        >
          <p>{words.deleteDetail}</p>
        </ConfirmChange>
      )}
    </>
  )
}
