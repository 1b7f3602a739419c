import { html, type Markup } from '@troupe/html'

/** Strings, and the keywords of the three languages. Tokenizes only our own examples. */
const TOKENS =
  /(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<word>\b(?:import|from|const|await|for|of|in|with|as|new|curl|true|false|null|True|False|None)\b)|(?<number>\b\d+(?:\.\d+)?\b)/g

/** An example with highlighted strings, keywords and numbers. */
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
