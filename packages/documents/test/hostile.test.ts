import { readFileSync } from 'node:fs'
import { childrenOf } from '@troupe/heavy-work/testing/processes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  circularDoc,
  contradictoryDocx,
  docOfDeletions,
  docxBomb,
  docxOfManyEntries,
  endlessPdf,
  lyingDocxBomb,
  manySmallBombs,
  pdfBomb,
  recursivePdf,
  vastXlsx,
} from '../src/testing/hostile.ts'
import { pdf } from '../src/testing/samples.ts'
import { openSetting, type Setting } from './setting.ts'

const MB = 1024 * 1024

let setting: Setting
beforeAll(() => {
  setting = openSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

describe('archives', () => {
  test.for([
    ['64 MB of XML in 65 KB', docxBomb],
    ['a bomb whose headers claim that it is small', lyingDocxBomb],
    ['small entries that are too much together', manySmallBombs],
    ['10,000 entries', () => docxOfManyEntries(10_000)],
    ['two headers that contradict each other', contradictoryDocx],
  ] as const)('%s: refused before a parser sees it', async ([, bytes]) => {
    expect(await setting.read('docx', bytes())).toEqual({ kind: 'unreadable', reason: 'broken' })
  })

  test('as many entries as may be are read', async () => {
    const read = await setting.read('docx', docxOfManyEntries(1_990))
    expect(read).toEqual({ kind: 'text', text: 'x', isCut: false })
  })

  test('a sheet that claims 17 thousand million cells is as large as what it holds', async () => {
    const read = await setting.read('xlsx', vastXlsx())
    expect(read).toEqual({ kind: 'text', text: `# Vast\n1\n${','.repeat(16_383)}2`, isCut: false })
  })
})

describe('documents that take forever', () => {
  // Measures a duration, which a busy machine stretches.
  test('a pdf is ended after its time', { retry: 2 }, async () => {
    await using hasty = openSetting({ process: { timeoutMs: 2_500 } })
    const before = performance.now()
    expect(await hasty.read('pdf', endlessPdf())).toEqual({ kind: 'unreadable', reason: 'timeout' })
    expect(performance.now() - before).toBeLessThan(15_000)
  })

  test('a doc of a million deletions is read once', async () => {
    expect(await setting.read('doc', docOfDeletions())).toEqual({
      kind: 'text',
      text: expect.stringMatching(/^x{999880}$/),
      isCut: false,
    })
  })

  test('a list of pages that is its own page is unreadable', async () => {
    expect(await setting.read('pdf', recursivePdf())).toEqual({ kind: 'unreadable', reason: 'broken' })
  })
})

describe.runIf(process.platform === 'linux')('memory', () => {
  test('a cyclic table is stopped at the heap limit', async () => {
    expect(await setting.read('doc', circularDoc())).toEqual({ kind: 'unreadable', reason: 'killed' })
  })

  test('a gigabyte in buffers is stopped at the limit, and the next document is read', async () => {
    const bytes = pdfBomb()
    let peak = 0
    const watch = setInterval(() => {
      for (const child of childrenOf(process.pid)) peak = Math.max(peak, peakOf(child))
    }, 20)
    const own = process.memoryUsage().rss
    const read = await setting.read('pdf', bytes).finally(() => clearInterval(watch))
    expect(read).toEqual({ kind: 'unreadable', reason: 'killed' })
    expect(peak).toBeGreaterThan(200 * MB)
    expect(peak).toBeLessThan(400 * MB)
    expect(process.memoryUsage().rss - own).toBeLessThan(64 * MB)
    expect(await setting.read('pdf', pdf(['next']))).toEqual({ kind: 'text', text: 'next\f', isCut: false })
  })
})

/** Peak memory of a process in bytes; 0 when it has exited. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
