import { shellWords } from '../../core/messages/en/shell.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'

/** `E` focuses the name of the open resource. @param refusal the reason that it may not be renamed; null: it may */
export function useRenameKey(refusal: string | null, rename: () => void): void {
  useKeys([{ keys: 'e', label: shellWords.renameKey, refusal, run: rename }])
}
