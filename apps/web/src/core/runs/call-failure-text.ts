import { callFailureWords as words } from '../messages/en/parts/call-failure.ts'

/** The reason of a failed model call, in words, by the code or class of the failure; a code without words is shown unchanged. */
export function callFailureText(code: string): string {
  const status = /^http_(\d{3})$/.exec(code)?.[1]
  return words.reasons[code] ?? (status ? words.http(status) : code)
}
