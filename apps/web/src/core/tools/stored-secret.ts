/** What a list shows of a stored secret: its last characters, or that it is set. Of a short one, the server tells none. */
export function storedSecretText(hint: string, set: string): string {
  return hint === '' ? set : `••••${hint}`
}
