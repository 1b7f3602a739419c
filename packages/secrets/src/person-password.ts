/** Characters of a person's password. */
export const SHORTEST_PASSWORD = 8
export const LONGEST_PASSWORD = 128

/** Whether a text may be a person's password. Lengths count as people see characters. */
export function mayBePassword(text: string): boolean {
  const length = [...text].length
  return length >= SHORTEST_PASSWORD && length <= LONGEST_PASSWORD
}
