import { newId, UploadId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { UploadQuota } from '../../src/forms/port.ts'
import type { Subject } from './tenant.ts'
import { type Publisher, publishedBy, publisher } from './workflow-builders.ts'

const UNREACHED = { workflowBytes: 1_000, organizationBytes: 1_000 }
const NO_QUOTA: UploadQuota = { ...UNREACHED, visitor: UNREACHED }

export function formUploadsContract(subject: Subject): void {
  const upload = async (
    { tenant: { organizationId }, workflow }: Publisher,
    sizeBytes: number,
    quota: Partial<UploadQuota> = {},
    visitor = 'somebody',
  ) => {
    const id = newId(UploadId)
    const row = {
      ...{ organizationId, workflowId: workflow.id, listenerId: null },
      ...{ field: 'cv', storageKey: id, filename: 'cv.txt' },
    }
    const uploads = subject().formUploads
    const outcome = await uploads.insert(
      { ...row, id, sizeBytes, visitor, createdAt: Date.now() },
      { ...NO_QUOTA, ...quota },
    )
    return outcome === 'stored' ? id : null
  }

  describe('uploads of forms', () => {
    it('of twenty concurrent ones, those that fit together are accepted', async () => {
      const form = await publisher(subject())
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => upload(form, 100, { workflowBytes: 550 })),
      )
      expect(answers.filter((id) => id !== null)).toHaveLength(5)
      expect(await upload(form, 50, { workflowBytes: 550 })).not.toBeNull()
    })

    it('of two concurrent forms share the quota of their organization, and of no other', async () => {
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

    it('of one visitor have a share, of the form and of the organization, and the others keep the rest', async () => {
      const one = await publisher(subject())
      const two = await publishedBy(subject(), one.tenant)
      const visitor = { workflowBytes: 200, organizationBytes: 300 }
      const pass = async (form: Publisher, name: string) => {
        const sent = Array.from({ length: 10 }, () => upload(form, 100, { visitor }, name))
        return (await Promise.all(sent)).filter((id) => id !== null).length
      }
      expect(await pass(one, 'greedy')).toBe(2)
      expect(await pass(two, 'greedy')).toBe(1)
      expect(await pass(one, 'neighbour')).toBe(2)
    })

    it('report whether the quota or the share of the visitor is used up', async () => {
      const { tenant, workflow } = await publisher(subject())
      const { organizationId } = tenant
      const row = {
        organizationId,
        workflowId: workflow.id,
        listenerId: null,
        field: 'cv',
        filename: 'a',
        createdAt: Date.now(),
      }
      const insert = (sizeBytes: number, quota: UploadQuota) => {
        const id = newId(UploadId)
        return subject().formUploads.insert({ ...row, id, storageKey: id, visitor: 'v', sizeBytes }, quota)
      }
      expect(await insert(100, NO_QUOTA)).toBe('stored')
      const share = { workflowBytes: 150, organizationBytes: 1_000 }
      expect(await insert(100, { ...NO_QUOTA, visitor: share })).toBe('share_used')
      expect(await insert(1_000, NO_QUOTA)).toBe('full')
    })

    it('no longer count towards the quota when a submission uses them, and when they are deleted', async () => {
      const form = await publisher(subject())
      const [used, deleted] = [await upload(form, 500), await upload(form, 500)]
      if (used === null || deleted === null) throw new Error('refused')
      expect(await upload(form, 1)).toBeNull()
      await subject().formUploads.delete([deleted])
      expect(await upload(form, 500)).not.toBeNull()
      expect(await upload(form, 1)).toBeNull()
      const take = {
        ...{ workflowId: form.workflow.id, listenerId: null },
        ...{ ids: [used], notBefore: 0, usedAt: Date.now() },
      }
      await subject().transaction(({ write }) => write.forms.takeUploads(take))
      expect(await upload(form, 500)).not.toBeNull()
    })
  })
}
