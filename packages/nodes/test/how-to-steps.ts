import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { nodeTypeFolders, packageLists } from '../scripts/node-type-lists.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** A program of the repository's dependencies. */
export const bin = (name: string) => join(ROOT, 'node_modules', ...name.split('/'))

/** A file that the page shows. */
interface Step {
  /** Below the folder of the package. */
  path: string
  text: string
}

/** The steps of the page: every block of code with a path in bold above it. */
export function howToSteps(): Step[] {
  const page = readFileSync(join(ROOT, 'docs', 'how-to', 'add-a-node-type.md'), 'utf8')
  const blocks = page.matchAll(/^\*\*`packages\/nodes\/([^`]+)`\*\*\n\n```ts\n([\s\S]*?)^```$/gm)
  return [...blocks].map(([, path = '', text = '']) => ({ path, text }))
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

  apply({ path, text }: Step): void {
    const file = join(this.folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  /** As `npm run generate:nodes` writes the lists of the package. */
  async writeLists(): Promise<void> {
    const source = join(this.folder, 'src')
    for (const { path, text } of packageLists(await nodeTypeFolders(source)))
      writeFileSync(join(source, path), text)
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
