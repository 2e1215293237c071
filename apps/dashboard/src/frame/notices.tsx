// Whole-page messages: each says what is the matter and what to do.
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { Trouble } from '../live/live.model.ts'
import { tokenInText } from '../live/token.model.ts'
import { Command } from '../parts/command.tsx'
import { Logo } from '../parts/logo.tsx'
import { useHost } from '../webview/host-context.tsx'

type OnToken = (token: string) => void

export function KeyNeeded({ onToken }: { onToken: OnToken }) {
  return (
    <Notice title="Open the link from your terminal">
      <p>This page is shown only to whoever has the link that Treadle printed. In your repository, run</p>
      <Command>treadle open</Command>
      <p>or paste the link here that it prints with --link:</p>
      <TokenForm onToken={onToken} />
    </Notice>
  )
}

export function KeyRefused({ onToken }: { onToken: OnToken }) {
  return (
    <Notice title="This link is no longer valid" tone="bad">
      <p>
        The daemon answers, but it does not accept the key of this page. It was probably restarted, or the
        link belongs to another workspace. In your repository, run
      </p>
      <Command>treadle open</Command>
      <p>or paste the link here that it prints with --link:</p>
      <TokenForm onToken={onToken} />
    </Notice>
  )
}

/** Inside an editor there is no link to paste: the editor looks for the daemon. */
export function HostRefused() {
  return (
    <Notice title="The daemon does not accept the editor" tone="bad">
      <p>It was probably restarted, or belongs to another workspace. Reload the window of the editor.</p>
    </Notice>
  )
}

export function Away() {
  const inEditor = useHost() !== null
  return (
    <Notice title="The daemon does not answer" tone="bad">
      <p>
        {inEditor ? 'The editor cannot reach it.' : <NothingAt host={location.host} />} To start it, run in
        your repository
      </p>
      <Command>treadle up</Command>
      <p>
        This page keeps trying and comes back by itself.
        {!inEditor && ' If the daemon comes back at another address, open the link it prints.'}
      </p>
    </Notice>
  )
}

function NothingAt({ host }: { host: string }) {
  return (
    <>
      Nothing answers at <code>{host}</code>.
    </>
  )
}

export function Failing({ trouble }: { trouble: Extract<Trouble, { is: 'failing' }> }) {
  return (
    <Notice title="The state of the crew cannot be read" tone="bad">
      <p>{trouble.message}</p>
      <p>{trouble.hint}</p>
      <p className="muted">This page keeps trying.</p>
    </Notice>
  )
}

export function Loading() {
  return (
    <main className="notice-page">
      <div className="loading" role="status">
        <Logo turning />
        <p>Reading the state of the crew…</p>
      </div>
    </main>
  )
}

function Notice({ title, tone, children }: { title: string; tone?: 'bad'; children: ReactNode }) {
  return (
    <main className="notice-page">
      <div className="notice" data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
        <p className="brand">
          <Logo /> Treadle
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}

function TokenForm({ onToken }: { onToken: OnToken }) {
  const id = useId()
  const [wrong, setWrong] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const token = tokenInText(String(new FormData(event.currentTarget).get('link') ?? ''))
    if (token === null) setWrong(true)
    else onToken(token)
  }
  return (
    <form className="token-form" onSubmit={submit} noValidate>
      <label htmlFor={id}>Link</label>
      <div className="token-row">
        <input
          id={id}
          name="link"
          type="text"
          autoComplete="off"
          spellCheck={false}
          placeholder="http://127.0.0.1:…/#token=…"
          aria-invalid={wrong}
          aria-describedby={wrong ? `${id}-wrong` : undefined}
          onChange={() => setWrong(false)}
        />
        <button type="submit" className="primary">
          Open
        </button>
      </div>
      {wrong && (
        <p id={`${id}-wrong`} className="wrong" role="alert">
          There is no key in that text. The link ends in <code>#token=…</code>
        </p>
      )}
    </form>
  )
}
