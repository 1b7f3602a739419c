import { isJsonObject } from '@troupe/contract'
import { Plus } from 'lucide-react'
import { Button } from '../../atoms/controls/button.tsx'
import { speechProviderLabel } from '../../core/messages/en/voice/providers.ts'
import { voiceEditorWords as words } from '../../core/messages/en/voice/voice-editor.ts'
import { VOICE_SETTING_WORDS } from '../../core/messages/en/voice/voice-settings.ts'
import { listAt, textAt } from '../../parts/config-form/config-form.ts'
import { ItemCard, SettingItems } from '../../parts/config-form/item-card.tsx'
import { SettingField } from '../../parts/config-form/setting-field.tsx'
import { SettingFrame, SettingGrid } from '../../parts/config-form/setting-frame.tsx'
import { type SettingItemList, useSettingItems } from '../../parts/config-form/use-setting-items.ts'
import { addressOf, KeyField, ProviderField, type SpeechFieldsProps } from './provider-fields.tsx'
import { type SpeechPart, textOrNull } from './voice-form.ts'

const FIRST: Readonly<Record<SpeechPart, string>> = { stt: 'local-pocketsphinx', tts: 'local-espeak' }

/** The fallback providers, in order. */
export function SpeechFallbacks({ part, form, projectId }: SpeechFieldsProps) {
  const path = `settings.${part}.fallbacks`
  const fallbacks = listAt(form, path)
  const items = useSettingItems(form, path, (index) => words.fallback(index + 1))
  const most = form.specOf(path)?.longest ?? 3
  const isFull = fallbacks.length >= most
  return (
    <SettingFrame form={form} path={path}>
      {fallbacks.length > 0 && (
        <SettingItems label={VOICE_SETTING_WORDS['tts.fallbacks'].label} said={items.said}>
          {fallbacks.map((item, index) => (
            <Fallback
              key={items.keyOf(index)}
              items={items}
              part={part}
              form={form}
              projectId={projectId}
              index={index}
              isOpenAtFirst={isJsonObject(item) && Object.keys(item).length === 1}
            />
          ))}
        </SettingItems>
      )}
      {!form.isReadOnly && (
        <Button
          size="small"
          icon={<Plus size={14} />}
          isDisabled={isFull}
          onPress={() => items.add({ provider: FIRST[part] })}
        >
          {words.addFallback}
        </Button>
      )}
    </SettingFrame>
  )
}

interface FallbackProps extends SpeechFieldsProps {
  items: SettingItemList
  index: number
  isOpenAtFirst: boolean
}

function Fallback({ part, form, projectId, items, index, isOpenAtFirst }: FallbackProps) {
  const list = `settings.${part}.fallbacks`
  const path = `${list}.${index}`
  const provider = textAt(form, `${path}.provider`)
  const address = addressOf(provider)
  const moves = items.movesOf(index)
  const isOnly = listAt(form, list).length === 1
  const remove = () => {
    moves.remove()
    if (isOnly) form.set(list, undefined)
  }
  return (
    <ItemCard
      form={form}
      path={path}
      title={words.fallback(index + 1)}
      kind={speechProviderLabel(provider)}
      summary={textAt(form, `${path}.${part === 'tts' ? 'voice' : 'model'}`)}
      moves={{ ...moves, remove }}
      isOpenAtFirst={isOpenAtFirst}
    >
      <SettingGrid>
        <ProviderField part={part} form={form} path={`${path}.provider`} />
        {(address !== null || textOrNull(form, `${path}.credential_id`) !== null) && (
          <KeyField
            form={form}
            path={`${path}.credential_id`}
            address={address}
            isNeeded={address !== null}
            projectId={projectId}
          />
        )}
      </SettingGrid>
      {(address !== null || part === 'tts') && (
        <SettingGrid>
          {address !== null && <SettingField form={form} path={`${path}.model`} isMono />}
          {part === 'tts' && <SettingField form={form} path={`${path}.voice`} isMono />}
        </SettingGrid>
      )}
    </ItemCard>
  )
}
