import { type Source, workspaces } from '../layering/sources.ts'
import { type TextWork, textWorkOf } from './text-work.ts'

/** The text work of each file of the product. */
export function productTextWork(): (TextWork & Pick<Source, 'path'>)[] {
  return workspaces()
    .filter(({ folder }) => !['packages/test-kit', 'packages/media-servers', 'bench'].includes(folder))
    .flatMap(({ sources }) => sources.filter(({ isTest, isTool }) => !isTest && !isTool))
    .map((source) => ({ path: source.path, ...textWorkOf(source) }))
}
