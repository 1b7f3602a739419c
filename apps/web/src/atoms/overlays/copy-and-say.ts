import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { copyText } from '../controls/copy-text.ts'
import { showNotice } from './notice-store.ts'

/** Copies a text from a place without feedback, and confirms it with a notice. @param copied the title of the notice */
export async function copyAndSay(text: string, copied: string): Promise<void> {
  const isThere = await copyText(text)
  showNotice(isThere ? { title: copied } : { title: words.copyRefused, tone: 'bad' })
}
