import type { Source } from './sources.ts'

const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:interface|type|class|function\*?|const|let) ([\w$]+)/gm

/** The names that a file declares and exports; a type and a value of one name count once. */
function exportedNames({ text }: Pick<Source, 'text'>): string[] {
  return [...new Set([...text.matchAll(EXPORTED)].flatMap(([, name]) => name ?? []))]
}

/** The exported names that more than one of the files declares, each with its files in alphabetical order. */
export function namesWithSeveralHomes(
  sources: readonly Pick<Source, 'path' | 'text'>[],
): Map<string, string[]> {
  const homes = new Map<string, string[]>()
  for (const source of sources) {
    for (const name of exportedNames(source))
      homes.set(name, [...(homes.get(name) ?? []), source.path].sort())
  }
  return new Map([...homes].filter(([, files]) => files.length > 1))
}
