import { html, type Markup } from '@troupe/html'

/** Texts, and the words of the three languages. It reads only examples of ours. */
const TOKENS =
  /(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<word>\b(?:import|from|const|await|for|of|in|with|as|new|curl|true|false|null|True|False|None)\b)|(?<number>\b\d+(?:\.\d+)?\b)/g

/** An example with its texts, words and numbers in colours. */
export function colouredCode(code: string): Markup {
  const parts: Markup[] = []
  let end = 0
  for (const match of code.matchAll(TOKENS)) {
    const kind = match.groups?.text ? 'text' : match.groups?.word ? 'word' : 'number'
    parts.push(html`${code.slice(end, match.index)}<span class="c-${kind}">${match[0]}</span>`)
    end = match.index + match[0].length
  }
  return html`${parts}${code.slice(end)}`
}
