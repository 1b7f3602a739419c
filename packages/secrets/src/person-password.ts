/** Length limits of a user's password, in characters. */
export const SHORTEST_PASSWORD = 8
export const LONGEST_PASSWORD = 128

/** Whether a text is an acceptable user password. Length is counted in Unicode code points. */
export function mayBePassword(text: string): boolean {
  const length = [...text].length
  return length >= SHORTEST_PASSWORD && length <= LONGEST_PASSWORD
}
