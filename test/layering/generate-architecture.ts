import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageTables, TABLES_BEGIN, TABLES_END } from './floors.ts'
import { ROOT, workspaces } from './sources.ts'

// Writes the tables of packages in ARCHITECTURE.md from each package.json.
const path = join(ROOT, 'ARCHITECTURE.md')
const text = readFileSync(path, 'utf8')
const before = text.slice(0, text.indexOf(TABLES_BEGIN) + TABLES_BEGIN.length)
writeFileSync(path, `${before}\n\n${packageTables(workspaces())}\n\n${text.slice(text.indexOf(TABLES_END))}`)
