import { Pay } from './Pay'

// The head's URL is read with each request, not when the site is built.
export const dynamic = 'force-dynamic'

export default function Page() {
  const { HEAD_URL, HEAD_ADDRESS, HEAD_LOCAL } = process.env
  return <Pay url={HEAD_URL} to={HEAD_ADDRESS} isLocal={HEAD_LOCAL === '1'} />
}
