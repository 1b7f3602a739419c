import { byteSize, counted } from '../../core/format/numbers.ts'
import { bundleWords } from '../../core/messages/en/settings/bundle.ts'

/** "214 lines, 8 kB, no secrets". */
export function bundleFacts(text: string): string {
  const lines = counted(text.split('\n').length - 1, bundleWords.line, bundleWords.lines)
  return bundleWords.facts(lines, byteSize(new TextEncoder().encode(text).length))
}
