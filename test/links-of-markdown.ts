/** Fenced code, whose fence ends with as many or more of its characters (CommonMark 4.5). */
const FENCED = /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm
const CODE = /(`+)(?:(?!`)[\s\S]|(?!\1(?!`))`+)*?\1(?!`)/g
const DESTINATION = /\]\((?:<([^>\n]+)>|([^\s)]+))(?:\s+"[^"]*")?\)/g
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:[ \t]*(\S+)/gm
const ATTRIBUTE = /<(?:a|img)\s[^>]*?(?:href|src)="([^"]+)"/g
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/)/i

/** The relative destinations of links, pictures and definitions of a Markdown text, in the order of their kinds; code has none. */
export function linksOf(text: string): string[] {
  const prose = text.replaceAll(FENCED, '').replaceAll(CODE, 'code')
  const found = [
    ...[...prose.matchAll(DESTINATION)].map(([, inAngles, plain]) => inAngles ?? plain ?? ''),
    ...[...prose.matchAll(DEFINITION)].map(([, destination = '']) => destination),
    ...[...prose.matchAll(ATTRIBUTE)].map(([, destination = '']) => destination),
  ]
  return found.filter((destination) => !ABSOLUTE.test(destination))
}

/**
 * The anchors of the headings of a Markdown text as GitHub makes them: lower case, no punctuation, hyphens for spaces, a number for
 * a repetition. Source: github-slugger (https://github.com/Flet/github-slugger), without its tables of rare letters.
 */
export function headingAnchors(text: string): Set<string> {
  const anchors = new Set<string>()
  const counts = new Map<string, number>()
  for (const [, heading = ''] of text
    .replaceAll(FENCED, '')
    .matchAll(/^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*$/gm)) {
    const shown = heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    const anchor = shown
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-')
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`)
  }
  return anchors
}
