import { Type } from 'typebox'
import { Nullable } from '../../schema/nullable.ts'

/** `config.prompt`: additions to the instructions. */
export const PromptConfig = Type.Object({
  add_datetime: Type.Optional(Type.Boolean()),
  add_agent_name: Type.Optional(Type.Boolean()),
  timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'IANA time zone.' })),
  expected_output: Type.Optional(Nullable(Type.String({ maxLength: 20_000 }))),
})
