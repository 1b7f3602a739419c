import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { livekitSettings } from './livekit-settings.ts'

const guide = readFileSync(new URL('../../../../docs/guides/voice.md', import.meta.url), 'utf8')
/** The YAML blocks of the guide for operators, some of which are inside lists. */
const blocks: Record<string, unknown>[] = [...guide.matchAll(/^( *)```yaml\n([\s\S]*?)^ *```/gm)].map(
  ([, indent = '', text = '']) => parse(text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')),
)
const blockWith = (key: string) => blocks.find((block) => key in block)

const settings = livekitSettings({
  ...{ httpPort: 1, mediaPort: 2, redisAddress: 'redis', apiKey: 'key', apiSecret: 'secret' },
  webhookUrl: 'http://127.0.0.1/internal/livekit/webhook',
})

test('the guide has the settings of the media tests: no room by a token, long identities, webhooks', () => {
  const told = blockWith('room')
  expect(told).toMatchObject({
    room: { auto_create: false },
    limit: { max_participant_identity_length: 1024 },
  })
  expect(settings.room).toMatchObject(Object(told?.room))
  expect(settings.limit).toEqual(told?.limit)
  expect(Object.keys(Object(told?.webhook))).toEqual(Object.keys(Object(settings.webhook)))
  expect(Object(told?.webhook).urls).toEqual([expect.stringMatching(/\/internal\/livekit\/webhook$/)])
})

test('the guide has the settings that prevent leaks of the media servers', () => {
  expect(blockWith('sip_port')).toMatchObject({ audio_dtmf: false })
  for (const words of ['`rtc.allow_tcp_fallback: false`', '`go_goroutines`']) expect(guide).toContain(words)
})
