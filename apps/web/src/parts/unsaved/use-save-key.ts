import { useRef } from 'react'
import { useSendingRefusal } from '../../atoms/states/sending-refusal.ts'
import { unsavedWords } from '../../core/messages/en/agents/unsaved.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'
import { commitField } from './commit-field.ts'

/** `⌘S` saves the form of the page. @param refusal the reason that the user may not; null: they may */
export function useSaveKey(refusal: string | null, save: () => void): void {
  const offline = useSendingRefusal()
  const latest = useRef(save)
  latest.current = save
  const run = () => void commitField().then(() => latest.current())
  useKeys([{ keys: 'mod+s', label: unsavedWords.saveKey, refusal: refusal ?? offline, run }])
}
