import { describe, expect, it } from 'vitest'
import { mergeDirectives, parseDirectives } from './directives.ts'

describe('parseDirectives', () => {
  it('reads every directive and leaves the text without them', () => {
    const { directives, text } = parseDirectives(
      'Please [[delay: 30]] say [[pace: 5]] hello[[usage: 7/3]]. [[break: 2]][[reply: all done]] [[fail: 503 x2]]',
    )
    expect(text).toBe('Please say hello.')
    expect(directives).toEqual({
      reply: 'all done',
      delayMs: 30,
      paceMs: 5,
      fail: { status: 503, times: 2 },
      breakAfter: 2,
      tools: [],
      usage: { input: 7, output: 3 },
    })
  })

  it('reads the JSON of a tool, even when it contains brackets', () => {
    const { directives, text } = parseDirectives(
      '[[tool: find {"ids": [[1]], "text": "]] x"}]] go [[tool: ping]]',
    )
    expect(directives.tools).toEqual([
      { name: 'find', input: { ids: [[1]], text: ']] x' } },
      { name: 'ping', input: {} },
    ])
    expect(text).toBe('go')
  })

  it('fails every call when no count is given', () => {
    expect(parseDirectives('[[fail: 500]]').directives.fail).toEqual({ status: 500, times: null })
  })

  it.each([
    '[[unknown: x]]',
    '[[delay: soon]]',
    '[[fail: 200]]',
    '[[tool: x {broken]]',
    '[[reply: open',
    '[[ 1 ]] and ]]',
  ])('leaves %s as text', (text) => {
    expect(parseDirectives(text).text).toBe(text)
  })

  it('ends the JSON of a tool where its braces end, and looks at few that are malformed', () => {
    const text = '[[tool: a {"x": "\\"}]]"}]]'
    expect(parseDirectives(text).directives.tools).toEqual([{ name: 'a', input: { x: '"}]]' } }])
    const many = `${'[[tool: a {'.repeat(2_000)}]]`
    expect(parseDirectives(many)).toMatchObject({ text: many, directives: { tools: [] } })
    expect(parseDirectives('[[tool: a]]'.repeat(200)).directives.tools).toHaveLength(100)
  })

  it.each([
    '[[tool: a {',
    '[[reply: ',
    '[[delay: ',
    '[[tool: ',
    '[[',
    '[[tool: a {"',
  ])('reads 400 KB of %s within a second', (opening) => {
    for (const end of ['', ']]']) {
      const text = opening.repeat(400_000 / opening.length) + end
      const started = process.threadCpuUsage()
      parseDirectives(text)
      expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(1_000)
    }
  })

  it('gives the message precedence over the instructions and combines their tools', () => {
    const first = parseDirectives('[[reply: mine]] [[tool: a]]').directives
    const second = parseDirectives('[[reply: theirs]] [[delay: 5]] [[tool: b]]').directives
    expect(mergeDirectives(first, second)).toMatchObject({
      reply: 'mine',
      delayMs: 5,
      tools: [{ name: 'a' }, { name: 'b' }],
    })
  })
})
