/** The display of a stored secret: its last characters, or that it is set. The server reveals none of a short one. */
export function storedSecretText(hint: string, set: string): string {
  return hint === '' ? set : `••••${hint}`
}
