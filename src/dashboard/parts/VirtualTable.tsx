import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** A column: its heading and its cells. */
export interface Column<Row> {
  readonly title: string
  /** Width as a track of a CSS grid, e.g. `minmax(0, 1fr)`. */
  readonly width: string
  readonly cell: (row: Row) => ComponentChildren
  /** True aligns the cells to the right, for figures. */
  readonly end?: boolean
  /** True leaves the column out where the page is narrow. */
  readonly wideOnly?: boolean
}

interface TableProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string | number
  /** True keeps the visible rows in place while new rows come in at the top and a person reads further down. */
  readonly growsAtTop?: boolean
  /** Content that is shown when there are no rows. */
  readonly empty: ComponentChildren
}

const ROW_PX = 44
/** Rows above and below the visible ones, for fast scrolling. */
const SPARE = 6
/** Height of the content that is shown when there are no rows, in rows. */
const LEAST_ROWS = 3
const NARROW = '(max-width: 720px)'

/** A table of any length, of which only the rows that are seen are in the page. */
export function VirtualTable<Row>({ label, rows, columns, keyOf, growsAtTop = false, empty }: TableProps<Row>): VNode {
  const scroller = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(560)
  const heldRows = useRef<readonly Row[]>(rows)
  const isReading = growsAtTop && top > ROW_PX
  if (!isReading) heldRows.current = rows
  const shown = heldRows.current
  const isNarrow = useMatch(NARROW)
  const visible = columns.filter(({ wideOnly }) => wideOnly !== true || !isNarrow)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const first = Math.max(0, Math.floor(top / ROW_PX) - SPARE)
  const count = Math.ceil(height / ROW_PX) + 2 * SPARE
  const tracks = { gridTemplateColumns: visible.map(({ width }) => width).join(' ') }
  const toTop = (): void => {
    if (scroller.current !== null) scroller.current.scrollTop = 0
    setTop(0)
  }
  return (
    <div class="table-box">
      <div
        class={shown.length * ROW_PX > height ? 'table long' : 'table'}
        role="table"
        aria-label={label}
        aria-rowcount={shown.length + 1}
      >
        <div role="rowgroup" class="table-head">
          <div role="row" class="table-row" style={tracks} aria-rowindex={1}>
            {visible.map(({ title, end }) => (
              <span role="columnheader" class={end === true ? 'end' : ''} key={title}>
                {title}
              </span>
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          class="table-body"
          ref={scroller}
          tabIndex={0}
          aria-label={label}
          style={{ maxHeight: `${(shown.length === 0 ? LEAST_ROWS : shown.length) * ROW_PX}px` }}
          onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
        >
          <div role="presentation" class="table-space" style={{ height: `${shown.length * ROW_PX}px` }}>
            {shown.slice(first, first + count).map((row, i) => (
              <div
                role="row"
                class="table-row"
                key={keyOf(row)}
                aria-rowindex={first + i + 2}
                style={{ ...tracks, transform: `translateY(${(first + i) * ROW_PX}px)` }}
              >
                {visible.map(({ title, cell, end }) => (
                  <span role="cell" class={end === true ? 'end' : ''} key={title}>
                    {cell(row)}
                  </span>
                ))}
              </div>
            ))}
          </div>
        </div>
      </div>
      {shown.length === 0 && <div class="table-empty">{empty}</div>}
      {isReading && rows !== shown && (
        <button type="button" class="table-new" onClick={toTop}>
          Show the newest
        </button>
      )}
    </div>
  )
}

function useMatch(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useLayoutEffect(() => {
    const list = matchMedia(query)
    const change = (): void => setMatches(list.matches)
    list.addEventListener('change', change)
    return () => list.removeEventListener('change', change)
  }, [query])
  return matches
}
