import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CANVAS_KEYS, CLIPBOARD_KEYS, HISTORY_KEYS } from '../../core/canvas/editor-keys.ts'
import { STEP_COMMANDS } from '../../core/canvas/step-commands.ts'
import { canvasWords, commandWords } from '../../core/messages/en/workflows/canvas.ts'
import { type Keys, shownKeys } from './key-map.ts'

const GUIDE = join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'guides', 'editor.md')

const row = (title: string, keys: Keys) => `| ${title.replace('…', '')} | ${shownKeys(keys, false)} |`

test('the guide of the editor has every command with its first key, and no other', () => {
  const steps = STEP_COMMANDS.flatMap(({ id, keys: [first], view }) =>
    first === undefined ? [] : [row(`${titleOf(id)}${view === 'canvas' ? ' (canvas)' : ''}`, first)],
  )
  const clipboard = (['copy', 'cut', 'paste'] as const).map((id) => row(titleOf(id), CLIPBOARD_KEYS[id]))
  const history = [row('Undo', HISTORY_KEYS.undo), row('Redo', HISTORY_KEYS.redo)]
  const onCanvas = CANVAS_KEYS.map(([keys, id]) => row(canvasWords.keys[id], keys))
  const written = readFileSync(GUIDE, 'utf8').split('\n')
  const rows = written.filter((line) => /^\| (?!Command \|)[A-Z]/.test(line))
  expect(rows).toEqual([...steps, ...clipboard, ...history, ...onCanvas])
})

const titleOf = (id: keyof typeof commandWords.titles) => commandWords.titles[id].replace('…', '')
