import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { findPage, linkTo } from '../model/pages.js'
import { useDashboard } from './context.js'
import { Icon } from './Icon.js'

/** Search for a transaction, an address or an output. */
export function SearchField(): VNode {
  const [query, setQuery] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const route = useDashboard().route.value
  useEffect(() => setProblem(null), [route])
  const submit = (event: Event): void => {
    event.preventDefault()
    const page = findPage(query)
    setProblem(page.kind === 'problem' ? page.message : null)
    if (page.kind === 'problem') return
    setQuery('')
    location.hash = linkTo(page)
  }
  return (
    <search>
      <form class="search" onSubmit={submit} autoComplete="off">
        <label>
          <span class="hidden">Search the ledger</span>
          <input
            type="search"
            placeholder="Transaction id, address or output"
            value={query}
            spellcheck={false}
            autocapitalize="off"
            aria-invalid={problem !== null}
            aria-describedby={problem === null ? undefined : 'search-problem'}
            onInput={({ currentTarget }) => {
              setQuery(currentTarget.value)
              setProblem(null)
            }}
          />
        </label>
        <button type="submit" class="quiet">
          <Icon name="search" />
          <span>Search</span>
        </button>
      </form>
      {problem !== null && (
        <p class="bad-text breakable search-problem" id="search-problem" role="alert">
          <bdi>{problem}</bdi>
        </p>
      )}
    </search>
  )
}
