import { type FormEvent, useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Logo } from '../../atoms/layout/logo.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { shellStateWords } from '../../core/messages/en/shell-states.ts'
import { SERVER_PATHS } from '../../core/url/paths.ts'
import { useSignIn } from '../../infrastructure/sign-in/use-sign-in.ts'
import styles from './sign-in.module.css'

const words = shellStateWords.signIn

/** The complete page for signed-out visitors. */
export function SignInScreen() {
  return (
    <main className={styles.screen}>
      <div className={styles.panel}>
        <div className={styles.brand}>
          <Logo size={40} />
          <h1>{words.title}</h1>
        </div>
        <SignInForm />
        <p className={styles.foot}>
          <TextLink href={SERVER_PATHS.resetPassword}>{words.forgot}</TextLink>
        </p>
        <p className={styles.foot}>{words.footer}</p>
      </div>
    </main>
  )
}

/** Above a page whose session has expired, so that its state is not lost. */
export function SignInAgain({ name, email }: { name: string; email: string }) {
  return (
    <Dialog isOpen onClose={() => undefined} title={words.again} isDismissable={false} isHeld>
      <p>{words.againDetail(name)}</p>
      <SignInForm email={email} />
      <p className={styles.foot}>
        <TextLink href={SERVER_PATHS.resetPassword}>{words.forgot}</TextLink>
      </p>
    </Dialog>
  )
}

function SignInForm({ email: known = '' }: { email?: string }) {
  const { signIn, failure, isPending } = useSignIn()
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn(email, password)
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {failure && <Callout tone="bad">{failure.message}</Callout>}
      <TextField
        label={words.email}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        autoFocus={known === ''}
      />
      <TextField
        label={words.password}
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        autoFocus={known !== ''}
      />
      <Button type="submit" emphasis="primary" isPending={isPending}>
        {words.action}
      </Button>
    </form>
  )
}
