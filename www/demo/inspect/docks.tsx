// The rail with the names of panels, and the docks with the open ones.

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Inspector } from './inspector.ts';
import { isOpen, layout, movePanel, narrow, resize, SIZE_LIMITS, type Side } from './layout.ts';
import { PANELS, leavePanel, takeFocusWish, togglePanel, type Panel } from './panels.tsx';
import { Icon, IconButton } from './ui.tsx';

export function Rail({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const warnings = inspector.warnings.value.length;
  return (
    <nav class="rail" aria-label="Panels">
      {PANELS.map((panel) => (
        <button
          key={panel.id}
          type="button"
          data-panel={panel.id}
          aria-expanded={isOpen(panel.id)}
          aria-controls={isOpen(panel.id) ? panel.id : undefined}
          title={panel.key ? `${panel.words} (${panel.key.toUpperCase()})` : panel.words}
          onClick={() => togglePanel(panel, false)}
        >
          <Icon name={panel.icon} />
          <span>{panel.name}</span>
          {panel.id === 'report' && warnings > 0 && (
            <span class="badge" id="warning-count">
              {warnings > 99 ? '99+' : warnings}
              <span class="hidden-text"> warnings</span>
            </span>
          )}
        </button>
      ))}
    </nav>
  );
}

export function Dock({ inspector, side }: { readonly inspector: Inspector; readonly side: Side }): JSX.Element | null {
  const shown = PANELS.find(({ id }) => id === layout.value.open[side]);
  if (!shown) return null;
  const size = layout.value.sizes[side];
  return (
    <aside
      class={`dock dock-${side}`}
      aria-label={`Panel at the ${side}`}
      style={narrow.value ? {} : { [side === 'bottom' ? 'height' : 'width']: `${size}px` }}
    >
      <Card key={shown.id} inspector={inspector} panel={shown} side={side} />
      {!narrow.value && <Edge side={side} size={size} name={shown.name} />}
    </aside>
  );
}

interface CardProps {
  readonly inspector: Inspector;
  readonly panel: Panel;
  readonly side: Side;
}

function Card({ inspector, panel, side }: CardProps): JSX.Element {
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takeFocusWish(panel.id)) root.current?.focus();
  }, [panel.id]);
  const other = side === 'left' ? 'right' : 'left';
  return (
    <section class="panel card" id={panel.id} ref={root} tabIndex={-1} aria-labelledby={`${panel.id}-title`}>
      <div class="panel-head">
        <h2 id={`${panel.id}-title`}>{panel.name}</h2>
        {!narrow.value && panel.side !== 'bottom' && (
          <IconButton
            icon={`dock-${other}`}
            label={`Dock ${panel.name} at the ${other}`}
            press={() => movePanel(panel.id, other)}
          />
        )}
        <IconButton icon="close" label={`Close ${panel.name}`} press={() => leavePanel(panel.id)} />
      </div>
      <div class="panel-body" tabIndex={0} role="group" aria-label={panel.name}>
        <panel.Content inspector={inspector} />
      </div>
    </section>
  );
}

/** The edge of a dock, which changes its size. */
function Edge({
  side,
  size,
  name,
}: {
  readonly side: Side;
  readonly size: number;
  readonly name: string;
}): JSX.Element {
  const [least, most] = SIZE_LIMITS[side];
  const towards = (event: PointerEvent): number => {
    if (side === 'left') return event.clientX;
    return side === 'right' ? window.innerWidth - event.clientX : window.innerHeight - event.clientY;
  };
  const from = useRef(0);
  return (
    <div
      class={`edge edge-${side}`}
      role="separator"
      tabIndex={0}
      aria-label={`Size of ${name}`}
      aria-orientation={side === 'bottom' ? 'horizontal' : 'vertical'}
      aria-valuenow={size}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuetext={`${size} pixels`}
      onPointerDown={(event) => {
        from.current = towards(event) - size;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(side, towards(event) - from.current);
      }}
      onKeyDown={(event) => {
        const grow = { left: 'ArrowRight', right: 'ArrowLeft', bottom: 'ArrowUp' }[side];
        const shrink = { left: 'ArrowLeft', right: 'ArrowRight', bottom: 'ArrowDown' }[side];
        if (event.key !== grow && event.key !== shrink) return;
        event.preventDefault();
        event.stopPropagation();
        resize(side, size + (event.key === grow ? 20 : -20));
      }}
    />
  );
}
