import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { UploadQuota } from '../../src/forms/port.ts'
import type { Subject } from './tenant.ts'
import { type Publisher, publishedBy, publisher } from './workflow-builders.ts'

const NO_QUOTA: UploadQuota = { workflowBytes: 1_000, organizationBytes: 1_000 }

export function formUploadsContract(subject: Subject): void {
  const upload = async (
    { tenant: { organizationId }, workflow }: Publisher,
    sizeBytes: number,
    quota: Partial<UploadQuota> = {},
  ) => {
    const id = randomUUID()
    const row = { organizationId, workflowId: workflow.id, field: 'cv', storageKey: id, filename: 'cv.txt' }
    const uploads = subject().formUploads
    const isIn = await uploads.insert(
      { ...row, id, sizeBytes, createdAt: Date.now() },
      { ...NO_QUOTA, ...quota },
    )
    return isIn ? id : null
  }

  describe('uploads of forms', () => {
    it('of twenty that come at once, those pass that fit together', async () => {
      const form = await publisher(subject())
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => upload(form, 100, { workflowBytes: 550 })),
      )
      expect(answers.filter((id) => id !== null)).toHaveLength(5)
      expect(await upload(form, 50, { workflowBytes: 550 })).not.toBeNull()
    })

    it('of two forms at once share the quota of their organization, and of no other', async () => {
      const one = await publisher(subject())
      const two = await publishedBy(subject(), one.tenant)
      const other = await publisher(subject())
      const quota = { organizationBytes: 700 }
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => upload(at % 2 === 0 ? one : two, 100, quota)),
      )
      expect(answers.filter((id) => id !== null)).toHaveLength(7)
      expect(await upload(other, 700, quota)).not.toBeNull()
    })

    it('leave the quota when a submission uses them, and when they are deleted', async () => {
      const form = await publisher(subject())
      const [used, deleted] = [await upload(form, 500), await upload(form, 500)]
      if (used === null || deleted === null) throw new Error('refused')
      expect(await upload(form, 1)).toBeNull()
      await subject().formUploads.delete([deleted])
      expect(await upload(form, 500)).not.toBeNull()
      expect(await upload(form, 1)).toBeNull()
      const take = { workflowId: form.workflow.id, ids: [used], notBefore: 0, usedAt: Date.now() }
      await subject().transaction(({ write }) => write.forms.takeUploads(take))
      expect(await upload(form, 500)).not.toBeNull()
    })
  })
}
