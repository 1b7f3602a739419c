import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Uuid } from '../schema/formats.ts'
import type { MemoryId } from '../schema/ids.ts'

export const deleteMemoryOperation = defineOperation({
  id: 'deleteMemory',
  method: 'DELETE',
  path: '/api/v1/memories/{memoryId}',
  tag: 'Memories',
  summary: 'Forget a memory',
  access: 'api_key',
  params: Type.Object({ memoryId: Uuid<MemoryId>() }),
  success: { status: 204, description: 'It is forgotten.', body: Type.Null() },
  errors: ['forbidden', 'memory_not_found'],
})
