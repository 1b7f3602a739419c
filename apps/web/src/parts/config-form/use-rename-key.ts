import { shellWords } from '../../core/messages/en/shell.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'

/** `E` goes to the name of the thing that is open. @param refusal why it may not be renamed; null: it may */
export function useRenameKey(refusal: string | null, rename: () => void): void {
  useKeys([{ keys: 'e', label: shellWords.renameKey, refusal, run: rename }])
}
