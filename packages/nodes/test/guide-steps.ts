import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** A program of the repository's dependencies. */
export const bin = (name: string) => join(ROOT, 'node_modules', ...name.split('/'))

/** A file that the guide shows, or lines that it adds to a file. */
export interface Step {
  path: string
  kind: 'ts' | 'diff'
  text: string
}

/** The steps of the guide: every block of code with a path in bold above it. */
export function guideSteps(): Step[] {
  const guide = readFileSync(join(ROOT, 'docs', 'guides', 'new-node.md'), 'utf8')
  const blocks = guide.matchAll(/^\*\*`([^`]+)`\*\*\n\n```(ts|diff)\n([\s\S]*?)^```$/gm)
  return [...blocks].map(([, path = '', kind, text = '']) => ({ path, kind: kind as Step['kind'], text }))
}

/** Adds the `+` lines of each part of a diff between the lines around them. */
function applied(text: string, diff: string): string {
  return diff.split(/^@@.*\n/m).reduce((file, part) => {
    const lines = part.split('\n').filter((line) => line !== '')
    const before = lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1))
    const after = lines.map((line) => line.slice(1))
    const found = `\n${before.join('\n')}\n`
    if (file.split(found).length !== 2) throw new Error(`not found once:${found}`)
    return file.replace(found, () => `\n${after.join('\n')}\n`)
  }, text)
}

/** A copy of this package that finds the same dependencies, removed with `using`. */
export class PackageCopy implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'troupe-nodes-'))

  constructor() {
    cpSync(join(ROOT, 'packages', 'nodes', 'src'), join(this.folder, 'src'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'), 'junction')
    writeFileSync(join(this.folder, 'package.json'), '{ "type": "module" }')
    const tsconfig = { extends: join(ROOT, 'tsconfig.json'), include: ['src/**/*.ts'] }
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  }

  apply({ path, kind, text }: Step): void {
    const file = join(this.folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, kind === 'ts' ? text : applied(readFileSync(file, 'utf8'), text))
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
