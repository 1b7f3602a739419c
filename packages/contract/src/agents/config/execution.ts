import { Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { Nullable } from '../../schema/nullable.ts'
import { JsonSchemaObject } from '../../schema/objects.ts'

/** The budget of one run. */
export const RunBudgetConfig = Type.Object({
  max_total_tokens: Type.Optional(Nullable(Type.Integer({ minimum: 1 }))),
  max_cost_usd: Type.Optional(Nullable(Type.Number({ exclusiveMinimum: 0 }))),
  on_exceeded: Type.Optional(Choice(['finalize', 'fail'])),
})

/** The shape of an answer. */
export const OutputConfig = Type.Object({
  mode: Type.Optional(Choice(['text', 'json_schema'])),
  schema: Type.Optional(Nullable(JsonSchemaObject())),
  strategy: Type.Optional(Choice(['auto', 'native', 'final_step'])),
  max_repairs: Type.Optional(Type.Integer({ minimum: 0, maximum: 5 })),
})

/** `config.execution`: the limits of a run and the shape of its answer. */
export const ExecutionConfig = Type.Object({
  max_steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  max_tool_calls: Type.Optional(Type.Integer({ minimum: 0, maximum: 500 })),
  max_seconds: Type.Optional(Type.Integer({ minimum: 5, maximum: 3_600 })),
  parallel_tool_calls: Type.Optional(Type.Boolean()),
  tool_choice: Type.Optional(Choice(['auto', 'required', 'none'])),
  loop_guard: Type.Optional(
    Type.Object({ repeat_limit: Type.Optional(Type.Integer({ minimum: 2, maximum: 20 })) }),
  ),
  budget: Type.Optional(RunBudgetConfig),
  output: Type.Optional(OutputConfig),
})
