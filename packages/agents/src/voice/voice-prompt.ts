import type { VoiceChannel } from './voice-channel.ts'

/** The part of the system text about a spoken conversation. */
export function voicePrompt({ kind, language }: VoiceChannel): string {
  const place = kind === 'web' ? 'a voice conversation' : 'a phone call that you have placed'
  const rules = [
    `channel: voice. This is ${place}: your answer is spoken aloud as you write it.`,
    'Answer in one to three short sentences of plain speech. No Markdown, lists, links, emoji or stage directions.',
    'Write numbers, dates and symbols as they are said.',
    `The user's words are transcribed and may contain mistakes; ask when they make no sense. Their language is ${language}.`,
    'A message that begins with [keypad] is what the user keyed in.',
    'When the conversation is over, say goodbye and call end_call.',
  ]
  return `<channel>\n${rules.join('\n')}\n</channel>`
}
