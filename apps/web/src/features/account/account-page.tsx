import { PageLayout } from '../../atoms/layout/page.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import { accountWords as words } from '../../core/messages/en/account.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { NameForm } from './name-form.tsx'
import { OrganizationList } from './organization-list.tsx'
import { PasswordForm } from './password-form.tsx'
import { SignInList } from './sign-in-list.tsx'

/** The user's account: name, organizations, password, and the browsers in which they are signed in. */
export function AccountPage() {
  const { person } = usePlace().session
  return (
    <PageLayout title={words.title} lead={<Avatar name={person.name} />} detail={person.email} width="narrow">
      <NameForm />
      <OrganizationList />
      <PasswordForm email={person.email} />
      <SignInList />
    </PageLayout>
  )
}
