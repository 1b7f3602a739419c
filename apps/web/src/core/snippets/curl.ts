import { shellWord } from './shell-word.ts'

/** A request to show as a shell command. */
export interface CurlRequest {
  method: string
  url: string
  /** `$NAME` in a value is a variable of the shell. */
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  body?: unknown
  /** The response is a stream, which is printed as it arrives. */
  isStream?: boolean
}

/** A command for a POSIX shell. For any content of the request, the shell replaces only variables in headers. */
export function curlCommand({ method, url, headers = {}, body, isStream = false }: CurlRequest): string {
  const start = [
    'curl',
    ...(isStream ? ['-N'] : []),
    ...(method === 'GET' ? [] : ['-X', method]),
    shellWord(url),
  ]
  return [
    start.join(' '),
    ...Object.entries(headers).map(([name, value]) => `-H ${withVariables(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shellWord(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ')
}

/** Between double quotes, where a shell replaces `$NAME`. */
function withVariables(text: string): string {
  return `"${text.replaceAll(/["\\`]|\$(?![A-Z])/g, (character) => `\\${character}`)}"`
}
