/** Names as hostile as callers can make them: markup, two directions of writing, no place to break, marks on marks. */
const HOSTILE_NAMES = [
  '"><img src=x onerror="document.body.hidden=true"><script>document.body.hidden=true</script>',
  'حجز \u202eevil.exe\u202c وطلب (رقم 7) ‏<b>טקסט</b> and back to English',
  'W'.repeat(300),
  '👩‍👩‍👧‍👦🏳️‍🌈 Z̷̢̛a̸̡͝l̵̨̛g̶̢̕ö̴́ 日本語の名前 — “quoted” {{ trigger.order }} %s \\n',
  'A name that goes on and on, with words in it, as a person writes who was never told to stop. '.repeat(4),
] as const

/**
 * Hostile names in turn, each different and within the length that the field accepts.
 *
 * @param maxLength in UTF-16 units
 */
export function hostileNames(maxLength: number): () => string {
  let count = 0
  return () => {
    const name = HOSTILE_NAMES[count % HOSTILE_NAMES.length] ?? ''
    count += 1
    return `${count} ${name}`.slice(0, maxLength).trim()
  }
}

/** A long text with everything in it that a page could take for markup or for one line. */
export const HOSTILE_TEXT = [
  '# <script>document.body.hidden = true</script>',
  '[link](javascript:alert(1)) ![picture](http://127.0.0.1:9/x.png) <iframe src="//127.0.0.1:9"></iframe>',
  'W'.repeat(500),
  '\u202eright to left override\u202c שלום עולם مرحبا بالعالم',
  `| a | b |\n|---|---|\n| ${'cell '.repeat(60)} | 2 |`,
  '```json\n{"deep": {"deeper": "💥"}}\n```',
].join('\n\n')
