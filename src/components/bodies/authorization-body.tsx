import type { ReactNode } from 'react'
import { fill, type Labels } from '../labels.js'
import { SafeText } from '../safe-text.js'
import { Actions, Content } from './body-parts.js'
import type { LateBodyProps } from './late-body.js'

/** The URL as the browser will read it, when it may be opened: http and https only, no base (K23). */
export function openableUrl(url: unknown): URL | undefined {
  if (typeof url !== 'string') return undefined
  try {
    const parsed = new URL(url)
    return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed : undefined
  } catch {
    return undefined
  }
}

/** A link to somebody else's page, opened only on a click; coming back is said with a button of its own. */
export function AuthorizationBody(props: LateBodyProps): ReactNode {
  const { item, labels } = props
  const url = openableUrl(item.request.url)
  return (
    <>
      <Content {...props}>
        {url ? <Link url={url} labels={labels} /> : <Unusable url={item.request.url} labels={labels} />}
      </Content>
      <Actions {...props} confirm={url && labels.finished} />
    </>
  )
}

function Link({ url, labels }: { url: URL; labels: Labels }): ReactNode {
  // Behind the scheme and a user name: a user name may spell the host too.
  const at = url.href.indexOf(url.host, url.href.length - `${url.host}${url.pathname}${url.search}${url.hash}`.length)
  return (
    <div data-slot="link">
      <p data-slot="label">{labels.linkTo}</p>
      <p data-slot="url">
        <bdi>
          {url.href.slice(0, at)}
          <strong data-slot="host">{url.host}</strong>
          {url.href.slice(at + url.host.length)}
        </bdi>
      </p>
      <a data-slot="open" href={url.href} target="_blank" rel="noopener noreferrer">
        {fill(labels.openLink, { host: url.host })}
      </a>
      <p data-slot="description">{labels.linkNewTab}</p>
    </div>
  )
}

function Unusable({ url, labels }: { url: unknown; labels: Labels }): ReactNode {
  return (
    <div data-slot="notice" role="note">
      <p>{url ? labels.linkUnusable : labels.linkMissing}</p>
      {typeof url === 'string' && url !== '' && (
        <p data-slot="url">
          <SafeText>{url}</SafeText>
        </p>
      )}
    </div>
  )
}
