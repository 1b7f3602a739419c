import { expect, test } from 'vitest'
import { completeVoiceSettings } from './complete-voice-settings.ts'

test.for([
  ['de-AT', 'Hallo, wie kann ich Ihnen helfen?', 'Einen Moment, bitte.'],
  ['ZH', '您好，请问有什么可以帮您？', '请稍等。'],
  ['en-GB', 'Hello, how can I help you?', 'One moment, please.'],
  ['is', 'Hello, how can I help you?', 'One moment, please.'],
] as const)('a voice whose language is %s greets in it, or in English', ([language, greeting, filler]) => {
  const complete = completeVoiceSettings({ language })
  expect(complete.greeting.text).toBe(greeting)
  expect(complete.filler.phrases).toEqual([filler])
})

test('texts of the settings take precedence over those of the language', () => {
  const given = { language: 'it', greeting: { text: 'Pronto?' }, budgetText: 'Ciao.' }
  expect(completeVoiceSettings(given)).toMatchObject({
    greeting: { text: 'Pronto?', mode: 'speak' },
    silence: { text: 'È ancora in linea?' },
    budgetText: 'Ciao.',
  })
})

test('every text of every language fits the limit that settings have', () => {
  for (const language of ['en', 'de', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pl', 'pt', 'zh']) {
    const { greeting, silence, filler, fallbackText, resumeText, budgetText } = completeVoiceSettings({
      language,
    })
    const texts = [greeting.text, silence.text, ...filler.phrases, fallbackText, resumeText, budgetText]
    expect(texts.filter((text) => text.length === 0 || text.length > 200)).toEqual([])
    if (language !== 'en') expect(texts).not.toContain('Hello, how can I help you?')
  }
})
