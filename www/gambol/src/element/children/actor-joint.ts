// References to joints in attributes: `Head` of the viewer's model, or `#second Head` of the actor of a child element.

import type { Actor } from '../../api/actor.ts';
import type { Performer } from '../../api/performer.ts';
import type { Viewer } from '../../api/viewer.ts';

/** A joint of a performer. */
export interface JointReference {
  /** The child element of the actor; null for the viewer's model. */
  readonly element: (Element & { readonly actor: Actor | null }) | null;
  /** The viewer or the actor; null until the actor is loaded. */
  readonly performer: Performer | null;
  /** The name of the joint. */
  readonly name: string;
}

/** Resolves a reference to a joint. Throws if there is no child element of this id. */
export function jointReference(host: HTMLElement, viewer: Viewer, text: string): JointReference {
  const [, id, name] = /^\s*#(\S+)\s+(\S.*)$/s.exec(text) ?? [];
  const own = { element: null, performer: viewer, name: text };
  if (id === undefined || name === undefined) return own;
  const element = [...host.children].find(
    (child): child is Element & { readonly actor: Actor | null } =>
      child.id === id && ['gambol-actor', 'extra-model'].includes(child.localName),
  );
  // Before the script for child elements is loaded, the element has no `actor`.
  if (element) return { element, performer: (element.actor as Actor | null | undefined) ?? null, name };
  // The name of a joint may have this form, too.
  if (viewer.model?.joints.some((joint) => joint.name === text)) return own;
  throw new Error(`“${text}”: no <gambol-actor id="${id}"> is a child of the viewer.`);
}
