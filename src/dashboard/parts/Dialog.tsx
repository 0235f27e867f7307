import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './Icon.js'

/** A dialog over the page; Escape and a button close it, and the focus goes back to where it was. */
export function Dialog({
  title,
  onClose,
  children
}: {
  title: string
  onClose: () => void
  children: ComponentChildren
}): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <div class="dialog-head">
        <h2 id="dialog-title">{title}</h2>
        <button type="button" class="ghost" aria-label="Close this dialog" onClick={() => dialog.current?.close()}>
          <Icon name="cross" />
        </button>
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  )
}
