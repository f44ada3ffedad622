import { type ReactNode, useId } from 'react'
import { fill, type Labels } from '../labels.js'
import { SafeText } from '../safe-text.js'
import { Actions, Content } from './body-parts.js'
import type { LateBodyProps } from './late-body.js'
import type { LateLabels } from './late-labels.js'
import { type ReadUrl, readUrl, type UrlWarning } from './read-url.js'

const WORDS: Readonly<Record<UrlWarning, keyof LateLabels>> = {
  userinfo: 'linkUserName',
  punycode: 'linkLookAlike',
  insecure: 'linkInsecure',
  'ip-host': 'linkNumber',
  bidi: 'linkHidden',
  scheme: 'linkUnusable',
  invalid: 'linkInvalid',
}

/** A link to somebody else's page, opened only on a click; coming back is said with a button of its own. */
export function AuthorizationBody(props: LateBodyProps): ReactNode {
  const { item, labels } = props
  const text = typeof item.request.url === 'string' ? item.request.url : ''
  const url = readUrl(text)
  return (
    <>
      <Content {...props}>
        {url.openable ? <Link url={url} labels={labels} /> : <Unusable text={text} url={url} labels={labels} />}
      </Content>
      <Actions {...props} confirm={url.openable ? labels.finished : undefined} />
    </>
  )
}

/** What a person should know of an address before opening it, in words. */
const warningsOf = ({ warnings, hadPassword }: ReadUrl, labels: Labels): string[] => [
  ...warnings.map((warning) => labels[WORDS[warning]] ?? ''),
  ...(hadPassword ? [labels.linkPassword ?? ''] : []),
]

function Link({ url, labels }: { url: ReadUrl; labels: Labels }): ReactNode {
  const warningsId = useId()
  const { around, host, href, registrable } = url
  const warnings = warningsOf(url, labels)
  const [before, subdomain, after] = around
  const port = host.slice(subdomain.length + registrable.length)
  return (
    <div data-slot="link">
      <p data-slot="label">{labels.linkTo}</p>
      <p data-slot="url">
        <bdi>
          {before}
          <span data-slot="host">
            {subdomain}
            <strong data-slot="registrable">{registrable}</strong>
            {port}
          </span>
          {after.slice(port.length)}
        </bdi>
      </p>
      {warnings.length > 0 && (
        <div data-slot="warning" id={warningsId}>
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </div>
      )}
      <a
        data-slot="open"
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        aria-describedby={warnings.length > 0 ? warningsId : undefined}
      >
        {fill(labels.openLink, { host })}
      </a>
      <p data-slot="description">{labels.linkNewTab}</p>
    </div>
  )
}

function Unusable({ text, url, labels }: { text: string; url: ReadUrl; labels: Labels }): ReactNode {
  return (
    <div data-slot="notice" role="note">
      {text === '' ? (
        <p>{labels.linkMissing}</p>
      ) : (
        warningsOf(url, labels).map((warning) => <p key={warning}>{warning}</p>)
      )}
      {text !== '' && (
        <p data-slot="url">
          <SafeText>{text}</SafeText>
        </p>
      )}
    </div>
  )
}
