import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EarText, earText } from './ear-text.ts'

/** The spoken form of a text, with single spaces. */
const heard = (text: string, language = 'en') => earText(text, language).replace(/\s+/g, ' ')

describe('spoken text', () => {
  test.for([
    ['plain', 'Your order is on its way. It arrives at 5.', 'Your order is on its way. It arrives at 5.'],
    ['emphasis', 'That is **very** *important* and __bold__ ~~wrong~~.', 'That is very important and bold.'],
    [
      'emphasis over sentences',
      '*Really? Yes. Good.* And **more. Text.**',
      'Really? Yes. Good. And more. Text.',
    ],
    ['a sum', 'It is 5 * 3 * 2 = 30 and snake_case_name.', 'It is 5 * 3 * 2 = 30 and snake_case_name.'],
    [
      'headings',
      '# Opening hours\n\nWe open at nine\n\n## Friday\nClosed',
      'Opening hours. We open at nine. Friday. Closed.',
    ],
    [
      'lists',
      'You need:\n- a passport\n- two photos\n* [x] a form',
      'You need: a passport. two photos. a form.',
    ],
    ['numbered lists', '1. Open it\n2. Close it\n\n10) End', '1. Open it. 2. Close it. 10. End.'],
    ['wrapped lines', 'This line goes\non here. And\nends', 'This line goes on here. And ends.'],
    ['quotes', '> It works\n> well', 'It works well.'],
    ['links', 'See [our page](https://example.com/a?b=1#c "Title") for more.', 'See our page for more.'],
    [
      'bare addresses',
      'See https://www.example.com/a/b?c=d, or <https://example.org/x>.',
      'See www.example.com, or example.org.',
    ],
    ['pictures', 'Look: ![a map](https://example.com/map.png)', 'Look: a map.'],
    [
      'HTML',
      'It is <b>new</b><br>and <span class="x">good</span> &amp; cheap.',
      'It is new and good & cheap.',
    ],
    [
      'an HTML table',
      '<table>\n<tr><th>Day</th><th>Hours</th></tr>\n<tr><td>Monday</td><td>9 to 5</td></tr>\n</table>\nBye',
      'Day, Hours. Monday, 9 to 5. Bye.',
    ],
    ['a script', '<script>\nalert(1)\n</script>\nHello', 'Hello.'],
    [
      'a table',
      'Prices:\n\n| Plan | Price |\n|------|------:|\n| **Basic** | $5 |\n| Pro | $10 |\n\nWhich one?',
      'Prices: Plan: Basic, Price: $5. Plan: Pro, Price: $10. Which one?',
    ],
    ['a table without outer lines', 'A | B\n--- | ---\n1 | 2\nDone', 'A, B. 1, 2. Done.'],
    ['no table', 'Either a | b\nor c', 'Either a, b. or c.'],
    ['formulas', 'So $E = mc^2$ and \\(\\frac{a}{b}\\).', 'So E = mc² and a / b.'],
    [
      'a displayed formula',
      'Thus\n$$\nx = \\sqrt{2} \\times y\n$$\nwhich is it.',
      'Thus. x = √(2) × y. which is it.',
    ],
    ['a displayed formula with brackets', '\\[ a \\leq b \\]', 'a ≤ b.'],
    ['prices', 'It costs $5 and $10. Or US$ 3, $20/month.', 'It costs $5 and $10. Or US$ 3, $20/month.'],
    [
      'sources',
      'Refunds take 14 days [1]. Shipping is free [2, 3][4].',
      'Refunds take 14 days. Shipping is free.',
    ],
    ['sources of file search', 'It is free【4:0†terms.pdf】.', 'It is free.'],
    ['linked sources', 'Free [1](https://example.com) and [^2].', 'Free and.'],
    [
      'a list of sources',
      'Yes [1].\n\n[1]: https://example.com/a "Terms"\n[^2]: The handbook, page 3',
      'Yes.',
    ],
    ['text in brackets', 'Press [Enter] or [1 2].', 'Press [Enter] or [1 2].'],
    ['thoughts', '<think>The user wants $x$.\nHm.</think>Hello!', 'Hello!'],
    ['a comparison', 'If a < b and c > d, fine. 3<4.', 'If a < b and c > d, fine. 3<4.'],
    ['pictograms', 'Great 🎉👍🏽! Café © 2026 🇩🇪', 'Great! Café © 2026.'],
    ['a short code', 'Your password:\n```\nhunter2 x\n```\nKeep it.', 'Your password: hunter2 x. Keep it.'],
    ['code within a line', 'Run `npm start` now.', 'Run npm start now.'],
    ['rules', 'One\n\n---\n\nTwo', 'One. Two.'],
    ['brackets of Japanese', '【重要】 明日は休みです。', '【重要】 明日は休みです。'],
    ['Japanese', '## 営業時間\n- 月曜日\n- 火曜日', '営業時間。 月曜日。 火曜日。'],
    ['unfinished marks', 'See [our page](https://exam', 'See [our page](exam.'],
  ] as const)('of %s', ([, text, spoken]) => {
    expect(heard(text).trim()).toBe(spoken)
  })

  test('replaces long code by a note, in the given language', () => {
    const code = `Here:\n\`\`\`js\n${'const a = 1\n'.repeat(9)}\`\`\`\nDone.`
    expect(heard(code)).toBe('Here: Code is omitted here. Done.')
    expect(heard(code, 'de-DE')).toBe('Here: Hier steht Code, den ich auslasse. Done.')
  })

  test('replaces an unclosed code block by a note, too', () => {
    expect(heard(`Here:\n\`\`\`\n${'a b c\n'.repeat(50)}`)).toBe('Here: Code is omitted here.')
  })
})

describe('a stream', () => {
  const pieces = fc.constantFrom(
    ...['Hello ', 'world. ', '\n', '\n\n', '**bold** ', '- item\n', '# Head\n', '| a | b |\n', '|---|---|\n'],
    ...[
      '`code` ',
      '```\n',
      '$x^2$ ',
      '$5 ',
      '[1]',
      '[a](https://b.example) ',
      '<b>x</b> ',
      '<think>',
      '</think>',
    ],
    ...['<table>', '</table>\n', '\\[', '\\]', '~~no~~', '1. ', '> ', '日本語。', '👍', '<', '|', '*'],
  )

  test('is spoken like the whole text, wherever its pieces end', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), fc.integer({ min: 1, max: 7 }), (all, size) => {
        const text = all.join('')
        const ear = new EarText('en')
        let given = ''
        for (let at = 0; at < text.length; at += size) given += ear.add(text.slice(at, at + size))
        expect(`${given}${ear.end()}`.trim()).toBe(earText(text, 'en'))
      }),
      { numRuns: 300 },
    )
  })

  test('keeps a trailing space, because another text may follow', () => {
    const ear = new EarText('en')
    expect(ear.add('One moment, please. ') + ear.end()).toBe('One moment, please. ')
  })

  test('returns words as they come, and a sentence with a link at its end', () => {
    const ear = new EarText('en')
    expect(ear.add('Your order ')).toBe('Your order')
    expect(ear.add('is on its way. It costs $5 ')).toBe(' is on its way. It costs')
    expect(ear.add('now. See [the ')).toBe(' $5 now. See')
    expect(ear.add('page](https://example.com) today. ')).toBe(' the page today.')
  })
})
