import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { Semaphore } from '@troupe/durable-work'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { configurationQuery, pageOf } from '../handlers/list-page.ts'
import {
  type ChangeVoiceConfigurationParts,
  createVoiceConfiguration,
  deleteVoiceConfiguration,
  updateVoiceConfiguration,
} from './change-voice-configuration.ts'
import { presentVoiceConfiguration, showVoiceConfiguration } from './find-voice-configuration.ts'
import { TESTED_PROGRAMS, type TestVoiceParts, testVoice } from './test-voice.ts'

/** Speech settings of agents. */
export function voiceConfigurationHandlers(
  parts: ChangeVoiceConfigurationParts & TestVoiceParts,
): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { read } = parts.database
  const programs = new Semaphore(TESTED_PROGRAMS)
  return [
    handler(op.listVoiceConfigurations, async ({ caller, query }) =>
      pageOf(
        query,
        await read.builder.voiceConfigurations.page(caller.organizationId, configurationQuery(query)),
        presentVoiceConfiguration,
      ),
    ),
    handler(op.getVoiceConfiguration, ({ caller, params }) =>
      showVoiceConfiguration(read, caller.organizationId, params.voiceConfigId),
    ),
    handler(op.createVoiceConfiguration, ({ caller, body }) => createVoiceConfiguration(parts, caller, body)),
    handler(op.updateVoiceConfiguration, ({ caller, params, body }) =>
      updateVoiceConfiguration(parts, caller, params.voiceConfigId, body),
    ),
    handler(op.testVoiceConfiguration, ({ caller, body }) => testVoice(parts, caller, body, programs)),
    handler(op.deleteVoiceConfiguration, async ({ caller, params }) => {
      await deleteVoiceConfiguration(parts, caller, params.voiceConfigId)
      return null
    }),
  ]
}
