const REPLACEMENT = '[hidden]'

/** The texts of a credential, also as JSON writes them, the longest first. */
function written(secrets: readonly string[]): string[] {
  const texts = new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))
  texts.delete('')
  return [...texts].sort((a, b) => b.length - a.length)
}

/** The length of the longest start of a secret that a text ends with. */
function unfinished(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length
  }
  return 0
}

/** A text in which secrets are hidden; `cut`: it may end within one. */
export function hideSecrets(text: string, secrets: readonly string[], cut: boolean): string {
  const texts = written(secrets)
  const shown = texts.reduce((left, secret) => left.replaceAll(secret, REPLACEMENT), text)
  const tail = cut ? Math.max(0, ...texts.map((secret) => unfinished(shown, secret))) : 0
  return tail === 0 ? shown : shown.slice(0, -tail)
}
