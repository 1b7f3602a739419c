import { useEffect } from 'react'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { shellWords } from '../../core/messages/en/shell.ts'
import { withoutProject } from '../../core/url/project-param.ts'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** Leads from a project that does not exist, such as a deleted one of an old link, to all projects. */
export function useKnownProject(): void {
  const { projectId, may } = usePlace()
  const goTo = useGoTo()
  const { data, isFetching } = useProjects({ isEnabled: projectId !== null && may('read') })
  const isGone =
    projectId !== null &&
    !isFetching &&
    data !== undefined &&
    !data.some((one) => one.projectId === projectId)
  useEffect(() => {
    if (!isGone) return
    const { pathname, search } = window.location
    goTo(withoutProject(pathname, search), { replace: true })
    showNotice({ title: shellWords.projectGone, detail: shellWords.projectGoneDetail })
  }, [isGone, goTo])
}
