/** Any character other than white space and control characters, some of which Python counts as white space. */
const SOMETHING = /[^\s\p{Cc}]/u

/** Whether a text has no visible characters. Providers refuse such a text where they require one. */
export function isBlank(text: string): boolean {
  return !SOMETHING.test(text)
}
