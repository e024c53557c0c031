// The scenes, nodes, skeleton and skins of the file.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { plural } from '../../app/format.ts';
import type { DocumentIndex, TreeNode } from '../document.ts';
import type { Inspector } from '../inspector.ts';
import { frameNode } from '../picking.ts';
import { NodePose } from './node-pose.tsx';
import { Button, Check, Facts, Note, Section, type Fact } from '../ui.tsx';

type Part = 'nodes' | 'skeleton' | 'skins' | 'scenes';
const PARTS: readonly (readonly [part: Part, words: string])[] = [
  ['nodes', 'Nodes'],
  ['skeleton', 'Skeleton'],
  ['skins', 'Skins'],
  ['scenes', 'Scenes'],
];
/** The upper limit of rows that are shown for a search. */
const MOST_FOUND = 300;

export function Outline({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const [part, setPart] = useState<Part>('nodes');
  const [query, setQuery] = useState('');
  const opened = inspector.opened.value;
  if (!opened) return <Note>The file is being read …</Note>;
  const { index } = opened;
  const words = query.trim().toLowerCase();
  return (
    <>
      <input
        class="search"
        type="search"
        placeholder="Find a node"
        aria-label="Find a node"
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      {words === '' ? (
        <>
          <div class="segments" role="group" aria-label="Part of the file">
            {PARTS.map(([name, label]) => (
              <button key={name} type="button" aria-pressed={part === name} onClick={() => setPart(name)}>
                {label}
              </button>
            ))}
          </div>
          {part === 'nodes' && <Tree inspector={inspector} index={index} roots={roots(index)} label="Nodes" />}
          {part === 'skeleton' && <Skeleton inspector={inspector} index={index} />}
          {part === 'skins' && <Skins inspector={inspector} index={index} />}
          {part === 'scenes' && <Scenes inspector={inspector} index={index} />}
        </>
      ) : (
        <Found inspector={inspector} nodes={index.nodes.filter((node) => isFound(node, words))} index={index} />
      )}
      <Selected inspector={inspector} index={index} />
    </>
  );
}

function isFound({ name, index }: TreeNode, words: string): boolean {
  return name.toLowerCase().includes(words) || `node ${index}` === words;
}

/** The roots of all scenes, then of nodes that no scene has. */
function roots({ nodes }: DocumentIndex): number[] {
  return nodes.filter(({ parent }) => parent === null).map(({ index }) => index);
}

interface TreeProps {
  readonly inspector: Inspector;
  readonly index: DocumentIndex;
  readonly roots: readonly number[];
  readonly label: string;
  /** Nodes that the tree leaves out, with their descendants. */
  readonly only?: (node: TreeNode) => boolean;
}

/** A tree of nodes: arrow keys move, open and close; a click or Enter selects, a double click frames. */
function Tree({ inspector, index, roots, label, only }: TreeProps): JSX.Element {
  const [closed, setClosed] = useState<ReadonlySet<number>>(() => initiallyClosed(index));
  const tree = useRef<HTMLDivElement>(null);
  const selected = inspector.view.value.node;
  const rows: { readonly node: TreeNode; readonly depth: number; readonly children: readonly number[] }[] = [];
  const visit = (at: number, depth: number): void => {
    const node = index.nodes[at];
    if (!node || rows.length > index.nodes.length) return;
    const children = only
      ? node.children.filter((child) => {
          const found = index.nodes[child];
          return found !== undefined && only(found);
        })
      : node.children;
    rows.push({ node, depth, children });
    if (!closed.has(at)) for (const child of children) visit(child, depth + 1);
  };
  for (const root of roots) visit(root, 0);
  const focused = rows.some(({ node }) => node.index === selected) ? selected : rows[0]?.node.index;

  // A selection in the picture opens the branches above it.
  useEffect(() => {
    if (selected === null) return;
    const above = new Set<number>();
    for (let at = index.nodes[selected]?.parent ?? null; at !== null; at = index.nodes[at]?.parent ?? null)
      above.add(at);
    setClosed((before) => ([...above].some((each) => before.has(each)) ? difference(before, above) : before));
    tree.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected, index]);

  const toggle = (at: number, open: boolean): void =>
    setClosed((before) => (open ? difference(before, new Set([at])) : new Set([...before, at])));
  const select = (at: number): void => inspector.change({ node: at, label: '' }, 'selection');
  const key = (event: KeyboardEvent): void => {
    const at = rows.findIndex(({ node }) => node.index === focused);
    const row = rows[at];
    if (!row) return;
    const open = row.children.length > 0 && !closed.has(row.node.index);
    const parent = row.node.parent;
    const to: Record<string, number | undefined> = {
      ArrowDown: rows[at + 1]?.node.index,
      ArrowUp: rows[at - 1]?.node.index,
      Home: rows[0]?.node.index,
      End: rows.at(-1)?.node.index,
    };
    if (event.key === 'ArrowRight' && row.children.length > 0 && !open) toggle(row.node.index, true);
    else if (event.key === 'ArrowRight' && open) select(row.children[0] ?? row.node.index);
    else if (event.key === 'ArrowLeft' && open) toggle(row.node.index, false);
    else if (event.key === 'ArrowLeft' && parent !== null) select(parent);
    else if (event.key === 'Enter') frameNode(inspector, row.node.index);
    else if (event.key in to) {
      const next = to[event.key];
      if (next !== undefined) select(next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
    requestAnimationFrame(() => tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus());
  };
  if (rows.length === 0) return <Note>This file has no nodes here.</Note>;
  return (
    <div class="tree" role="tree" aria-label={label} ref={tree} onKeyDown={key}>
      {rows.map(({ node, depth, children }) => (
        <div
          key={node.index}
          class="tree-row"
          role="treeitem"
          aria-level={depth + 1}
          aria-selected={node.index === selected}
          aria-expanded={children.length > 0 ? !closed.has(node.index) : undefined}
          tabIndex={node.index === focused ? 0 : -1}
          style={{ '--depth': depth }}
          title={index.nameOf(node.index)}
          onClick={() => select(node.index)}
          onDblClick={() => frameNode(inspector, node.index)}
        >
          {children.length > 0 ? (
            <span
              class="tree-arrow"
              aria-hidden="true"
              onClick={(event) => {
                event.stopPropagation();
                toggle(node.index, closed.has(node.index));
              }}
            />
          ) : (
            <span class="tree-space" />
          )}
          <span class="tree-name">{index.shortNameOf(node.index)}</span>
          <span class="tree-kind">{kindOf(node)}</span>
        </div>
      ))}
    </div>
  );
}

/** Branches below the fourth level of a large file are closed at first. */
function initiallyClosed({ nodes }: DocumentIndex): ReadonlySet<number> {
  if (nodes.length < 60) return new Set();
  const depth = ({ parent }: TreeNode): number => {
    let levels = 0;
    for (let at = parent; at !== null && levels < 4; at = nodes[at]?.parent ?? null) levels += 1;
    return levels;
  };
  return new Set(nodes.filter((node) => node.children.length > 0 && depth(node) >= 3).map(({ index }) => index));
}

function difference(from: ReadonlySet<number>, without: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...from].filter((each) => !without.has(each)));
}

function kindOf({ mesh, skin, camera, light, joint }: TreeNode): string {
  const kinds = [
    mesh !== null && (skin === null ? 'mesh' : 'skinned mesh'),
    camera !== null && 'camera',
    light !== null && 'light',
    joint && 'joint',
  ];
  return kinds.filter(Boolean).join(', ');
}

interface PartProps {
  readonly inspector: Inspector;
  readonly index: DocumentIndex;
}

/** The joints of all skins, without other nodes below them. */
function Skeleton({ inspector, index }: PartProps): JSX.Element {
  const tops = index.nodes.filter(({ joint, parent }) => joint && !(parent !== null && index.nodes[parent]?.joint));
  return (
    <Tree
      inspector={inspector}
      index={index}
      roots={tops.map(({ index: at }) => at)}
      label="Skeleton"
      only={({ joint }) => joint}
    />
  );
}

function Skins({ inspector, index }: PartProps): JSX.Element {
  if (index.skins.length === 0) return <Note>This file has no skins.</Note>;
  return (
    <ul class="plain-list">
      {index.skins.map((skin, i) => {
        const users = index.nodes.filter((node) => node.skin === i);
        const root = skin.skeleton ?? skin.joints[0];
        return (
          <li key={i}>
            <strong>{skin.name}</strong>
            <Facts
              facts={[
                ['Joints', plural(skin.joints.length, 'joint')],
                ['Used by', users.map(({ index: at }) => index.nameOf(at)).join(', ') || 'no node'],
              ]}
            />
            {root !== undefined && (
              <Button press={() => inspector.change({ node: root, label: '' }, 'selection')}>
                Select {index.nameOf(root)}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Scenes({ inspector, index }: PartProps): JSX.Element {
  if (index.scenes.length === 0) return <Note>This file has no scenes.</Note>;
  const shown = typeof index.json['scene'] === 'number' ? index.json['scene'] : 0;
  return (
    <ul class="plain-list">
      {index.scenes.map((scene, i) => (
        <li key={i}>
          <strong>{scene.name}</strong>
          <Note>
            {plural(scene.roots.length, 'root node')}
            {i === shown ? ', shown' : ', not shown: players show the default scene'}
          </Note>
          <Tree inspector={inspector} index={index} roots={scene.roots} label={scene.name} />
        </li>
      ))}
    </ul>
  );
}

function Found({ inspector, nodes, index }: PartProps & { readonly nodes: readonly TreeNode[] }): JSX.Element {
  return (
    <>
      <Note>
        {nodes.length > MOST_FOUND ? `The first ${MOST_FOUND} of ${nodes.length} nodes` : plural(nodes.length, 'node')}
      </Note>
      <ul class="found">
        {nodes.slice(0, MOST_FOUND).map((node) => (
          <li key={node.index}>
            <button
              type="button"
              aria-pressed={inspector.view.value.node === node.index}
              onClick={() => inspector.change({ node: node.index, label: '' }, 'selection')}
              onDblClick={() => frameNode(inspector, node.index)}
            >
              <span class="tree-name">{index.nameOf(node.index)}</span>
              <span class="tree-kind">{index.pathOf(node.index).slice(0, -1).join(' / ')}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** `true` if the node is shown; after edits, too. */
function isVisible({ edits, viewer }: Inspector, node: number): boolean {
  edits.version.value;
  return viewer?.model ? viewer.node(node).visible : true;
}

/** The selected node, with its position while it moves. */
function Selected({ inspector, index }: PartProps): JSX.Element | null {
  const { node: at, label } = inspector.view.value;
  const [place, setPlace] = useState('');
  useEffect(() => {
    const read = (): void => {
      const world = at === null ? undefined : inspector.viewer?.joint(at).world;
      setPlace(world ? [world[12], world[13], world[14]].map((value) => (value ?? 0).toFixed(3)).join(', ') : '');
    };
    read();
    const timer = setInterval(read, 200);
    return () => clearInterval(timer);
  }, [at, inspector]);
  const node = at === null ? undefined : index.nodes[at];
  if (!node) return null;
  const facts: Fact[] = [
    ['Pointer', <code key="pointer">/nodes/{node.index}</code>],
    ['Path', index.pathOf(node.index).join(' / ')],
    ['Kind', kindOf(node) || 'node'],
    ['Position', `${place} m`],
  ];
  return (
    <Section title={index.nameOf(node.index)}>
      <Facts facts={facts} />
      <label class="row">
        <span>Label</span>
        <input
          type="text"
          maxLength={40}
          placeholder={index.nameOf(node.index)}
          value={label}
          onInput={({ currentTarget }) => inspector.change({ label: currentTarget.value })}
        />
      </label>
      <Check
        label="Visible"
        checked={isVisible(inspector, node.index)}
        change={(on) => inspector.edits.node(`visibility of ${index.nameOf(node.index)}`, node.index, on)}
      />
      <NodePose inspector={inspector} node={node.index} name={index.nameOf(node.index)} />
      <div class="buttons">
        <Button press={() => frameNode(inspector, node.index)}>Frame</Button>
        {node.joint && (
          <Button
            title="Show the skin weights of this joint"
            press={() => inspector.change({ surface: 'weights', weightsOf: node.index }, 'surface')}
          >
            Weights
          </Button>
        )}
        <Button press={() => inspector.change({ node: null, label: '' }, 'selection')}>Deselect</Button>
      </div>
    </Section>
  );
}
