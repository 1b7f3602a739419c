import type { Project } from '@troupe/contract/builder'
import { useEffect } from 'react'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { shellWords } from '../../core/messages/en/shell.ts'
import { withoutProject } from '../../core/url/project-param.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** Redirects from a nonexistent project, such as a deleted one in an old link, to all projects. */
export function useKnownProject(): void {
  const { projectId, may } = usePlace()
  const goTo = useGoTo()
  const { data, isFetching } = useProjects({ isEnabled: projectId !== null && may('read') })
  const isIn = (projects: readonly Project[]) => projects.some((one) => one.projectId === projectId)
  const isUnlisted = projectId !== null && !isFetching && data !== undefined && !isIn(data)
  // The list ends after the first thousand, so this one is requested separately.
  const asked = useOperation(
    'listProjects',
    { query: { q: projectId ?? '', limit: 100 } },
    { isEnabled: isUnlisted, keepsFormer: false },
  )
  const isAnswered = !asked.isFetching && asked.failure === null && asked.knownAt === null
  const isGone = isUnlisted && isAnswered && asked.data !== undefined && !isIn(asked.data.data)
  useEffect(() => {
    if (!isGone) return
    const { pathname, search } = window.location
    goTo(withoutProject(pathname, search), { replace: true })
    showNotice({ title: shellWords.projectGone, detail: shellWords.projectGoneDetail })
  }, [isGone, goTo])
}
