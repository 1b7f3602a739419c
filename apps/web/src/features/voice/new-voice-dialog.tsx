import { type AgentId, type IdText, STT_PROVIDERS, slugOf, TTS_PROVIDERS } from '@troupe/contract'
import { Select } from '../../atoms/controls/select.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { SPEECH_PROVIDERS } from '../../core/messages/en/voice/providers.ts'
import { voiceWords as words } from '../../core/messages/en/voice/voice.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoToMade } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { SearchPicker } from '../../parts/pickers/search-picker.tsx'
import { AGENTS } from '../../parts/pickers/searched-lists.ts'
import { useChoices } from '../../parts/pickers/use-choices.ts'

const PATHS = ['agentId', 'slug', 'sttProvider', 'ttsProvider']
const FIRST: Fields = { agentId: null, slug: null, sttProvider: 'deepgram', ttsProvider: 'elevenlabs' }

interface Fields {
  agentId: IdText<AgentId> | null
  /** null: derived from the name of the agent. */
  slug: string | null
  sttProvider: string
  ttsProvider: string
}

const optionsOf = <Id extends string>(providers: readonly Id[]) =>
  providers.map((id) => ({ id, label: id, ...SPEECH_PROVIDERS[id] }))

/** A new voice requires the agent and the providers; keys and everything else follow in the editor. */
export function NewVoiceDialog({ onClose }: { onClose(): void }) {
  const { paths } = usePlace()
  const goToMade = useGoToMade()
  const typed = useTypedForm('voice/new', FIRST)
  const { agentId } = typed.fields
  const agents = useChoices(AGENTS, agentId === null ? [] : [agentId])
  const create = useChange('createVoiceConfiguration', { refreshes: ['listVoiceConfigurations'] })
  const { failure } = create
  const name = agentId === null ? null : (agents.thing(agentId)?.name ?? null)
  const slug = typed.fields.slug ?? slugForAgent(name)
  const sttProvider = STT_PROVIDERS.find((id) => id === typed.fields.sttProvider) ?? 'deepgram'
  const ttsProvider = TTS_PROVIDERS.find((id) => id === typed.fields.ttsProvider) ?? 'elevenlabs'
  const submit = async () => {
    if (agentId === null) return
    const made = await create.run({ body: { agentId, slug: slug.trim(), sttProvider, ttsProvider } })
    if (!made) return
    typed.discard()
    goToMade(paths.voiceConfiguration(made.answer.voiceConfigId))
  }
  return (
    <FormDialog
      title={words.create}
      onClose={onClose}
      action={words.createAction}
      onSubmit={submit}
      isPending={create.isPending}
      isComplete={agentId !== null && slug.trim() !== ''}
      failed={words.createFailed}
      failure={formFailure(failure, PATHS)}
      typed={typed}
    >
      <SearchPicker
        label={words.agent}
        description={words.agentDetail}
        placeholder={words.agentPlaceholder}
        value={agentId}
        name={name}
        options={agents.found
          .filter(({ status }) => status !== 'archived')
          .map((agent) => ({ id: agent.agentId, label: agent.name }))}
        onType={agents.onType}
        onChange={(next) => typed.change({ agentId: next })}
        error={fieldFailure(failure, 'agentId') ?? agents.failure?.message ?? null}
      />
      <Select
        label={words.hears}
        description={words.hearsDetail}
        value={sttProvider}
        onChange={(next) => typed.change({ sttProvider: next })}
        options={optionsOf(STT_PROVIDERS)}
        error={fieldFailure(failure, 'sttProvider')}
      />
      <Select
        label={words.speaks}
        value={ttsProvider}
        onChange={(next) => typed.change({ ttsProvider: next })}
        options={optionsOf(TTS_PROVIDERS)}
        error={fieldFailure(failure, 'ttsProvider')}
      />
      <TextField
        label={words.slug}
        description={words.slugDetail}
        isMono
        value={slug}
        onChange={(next) => typed.change({ slug: next })}
        error={fieldFailure(failure, 'slug')}
      />
    </FormDialog>
  )
}

function slugForAgent(name: string | null): string {
  const slug = name === null ? '' : slugOf(name)
  return slug === '' ? '' : `${slug.slice(0, 58)}-voice`
}
