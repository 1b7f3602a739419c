import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DIFY_MAPPINGS } from './dify/import-dify.ts'
import { N8N_MAPPINGS } from './n8n/import-n8n.ts'

const GUIDE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'guides', 'importing.md')

test('the guide has a row for each mapping, and no other', () => {
  const rows = [...N8N_MAPPINGS, ...DIFY_MAPPINGS].map(({ types, becomes }) => {
    // Two packages of n8n have a node of the same name.
    const names = new Set(
      types.map((type) => `\`${type.replace(/^(?:n8n-nodes-base|@n8n\/n8n-nodes-langchain)\./, '')}\``),
    )
    return `| ${[...names].join(', ')} | ${becomes.charAt(0).toUpperCase()}${becomes.slice(1)} |`
  })
  const written = readFileSync(GUIDE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  expect(written).toEqual(rows)
})
