// Values of a wrong type in place of every argument and of every member of an argument: each call accepts them or
// throws a GambolError.

import { createViewer, GambolError, loadAsset } from 'gambol';
import { test, type T } from '../page/api.ts';
import { shown } from './support/element.ts';
import { countGlObjects } from './support/watch.ts';
import { model } from './support/model.ts';

/** Methods that would dispose of the objects, and the browser's own. */
const ENDS = [
  'constructor',
  'dispose',
  'remove',
  'clear',
  'unload',
  'addEventListener',
  'removeEventListener',
  'dispatchEvent',
];
/** Methods marked `@internal`, which the published types do not contain. */
const INTERNAL = [
  'abort',
  'abortPlaying',
  'asSource',
  'begin',
  'configure',
  'end',
  'enter',
  'fill',
  'follow',
  'leave',
  'masked',
  'missing',
  'needs',
  'reference',
  'pointInModel',
  'send',
  'setDefaults',
  'stageEvent',
  'takeLight',
  'takeStudio',
  'warn',
];

type Call = (...args: unknown[]) => unknown;

function detached(): Float32Array {
  const list = new Float32Array(4);
  structuredClone(list.buffer, { transfer: [list.buffer] });
  return list;
}

const WRONG: readonly unknown[] = [
  undefined,
  null,
  NaN,
  -1,
  1e300,
  true,
  '',
  'nothing',
  Symbol('odd'),
  10n,
  {},
  [],
  [null],
  [NaN, 1, 2],
  ['1', '2'],
  () => 1,
  { length: 3 },
  new Map([[1, 2]]),
  Object.create(null),
  detached(),
  new Float32Array(3),
  new DataView(new ArrayBuffer(8)),
  new ArrayBuffer(4),
  new Date(NaN),
  document.body,
];

/** The methods of an object, of all its classes except the browser's; with `setters` the setters too. */
function operations(object: object, leftOut: readonly string[], setters = true): Map<string, Call> {
  const all = new Map<string, Call>();
  const browser = [Object.prototype, EventTarget.prototype, HTMLElement.prototype];
  for (
    let from = Object.getPrototypeOf(object) as object;
    !browser.includes(from);
    from = Object.getPrototypeOf(from) as object
  ) {
    for (const [name, { value, set }] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
      const call: unknown = value ?? (setters ? set : undefined);
      if (typeof call !== 'function' || ENDS.includes(name) || leftOut.includes(name) || all.has(name)) continue;
      all.set(name, (...args) => Reflect.apply(call, object, args) as unknown);
    }
  }
  return all;
}

/** The names of the members that a call reads from its argument. */
function membersRead(call: Call): string[] {
  const names = new Set<string>();
  const record = (key: string | symbol): void => {
    if (typeof key === 'string') names.add(key);
  };
  const argument = new Proxy(
    {},
    {
      get: (_, key) => record(key),
      has: (_, key) => {
        record(key);
        return false;
      },
    },
  );
  try {
    Promise.resolve(call(argument)).catch(() => undefined);
  } catch {
    /* It is only to be read. */
  }
  return [...names].filter((name) => name !== 'then' && name !== 'toJSON');
}

/** Makes every call with every invalid value; the faults are errors and rejections without a code. */
class Sweep {
  readonly faults = new Set<string>();
  calls = 0;

  async over(kind: string, calls: Map<string, Call>): Promise<void> {
    for (const [name, call] of calls) {
      for (const before of [[], [0], [[0, 1, 0]]]) {
        const members = membersRead((argument) => call(...before, argument));
        const place = `${kind}.${name}(${before.length ? '…, ' : ''}`;
        for (const wrong of WRONG) {
          this.#attempt(`${place}${typeof wrong})`, () => call(...before, wrong));
          for (const member of members)
            this.#attempt(`${place}{ ${member} })`, () => call(...before, { [member]: wrong }));
        }
      }
    }
    // Loads that have begun must settle before the next object, together with their rejections.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }

  #attempt(what: string, call: () => unknown): void {
    this.calls++;
    const check = (error: unknown): void => {
      if (!(error instanceof GambolError) && !(error instanceof DOMException))
        this.faults.add(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    };
    try {
      const answer = call();
      if (answer instanceof Promise) answer.catch(check);
    } catch (error) {
      check(error);
    }
  }

  end(t: T, least: number): void {
    t.ok(this.faults.size === 0, `${this.faults.size} faults:\n${[...this.faults].join('\n')}\n`);
    t.ok(this.calls > least, `only ${this.calls} calls`);
  }
}

test('wrong arguments: of every method and every property of an argument are refused with a code', async (t) => {
  // Strings are addresses of models that do not exist.
  t.expectTrouble(/Failed to load resource|status of 404/);
  const viewer = await createViewer(t.canvas());
  viewer.timeline = 'manual';
  await viewer.load(model().glb);
  const objects: Record<string, object> = {
    joint: viewer.joint(0),
    morph: (await viewer.add('/sample.glb')).morph('smile'),
    layer: viewer.layers.add(0, { name: 'above' }),
    layers: viewer.layers,
    space: viewer.blendSpace({
      clips: [
        [0, 0],
        [1, 1],
      ],
    }),
    playback: viewer.play(0),
    actor: await viewer.add(model().glb),
    crowd: await viewer.addCrowd(model().glb, { count: 2 }),
    asset: await loadAsset(model().glb),
    viewer,
  };
  const sweep = new Sweep();
  for (const [kind, object] of Object.entries(objects)) {
    await sweep.over(
      kind,
      operations(object, kind === 'actor' ? [...INTERNAL, 'attach'] : kind === 'joint' ? [] : INTERNAL),
    );
  }
  viewer.dispose();
  sweep.end(t, 5000);
});

test('wrong arguments: options of a viewer are refused with a code, and leave nothing', async (t) => {
  const live = countGlObjects();
  const none = live();
  const options = [
    'antialias',
    'autoplay',
    'background',
    'cameraControls',
    'keyboard',
    'maxDpr',
    'reducedMotion',
    'renderer',
    'skinOn',
    'textureBudget',
    'touchAction',
  ];
  const controls = [
    'keyboard',
    'touchAction',
    'zoom',
    'pan',
    'tap',
    'orbitSensitivity',
    'panSensitivity',
    'zoomSensitivity',
  ];
  const faults: string[] = [];
  const canvas = t.canvas();
  const attempt = async (what: string, wrong: object): Promise<void> => {
    try {
      (await createViewer(canvas, wrong)).dispose();
    } catch (error) {
      if (!(error instanceof GambolError)) faults.push(`${what}: ${String(error)}`);
    }
  };
  for (const wrong of WRONG) {
    for (const name of options) await attempt(name, { [name]: wrong });
    for (const name of controls) await attempt(`cameraControls.${name}`, { cameraControls: { [name]: wrong } });
  }
  t.equal(faults, []);
  t.equal(live(), none);
});

test('wrong arguments: of the methods of the element are refused with a code', async (t) => {
  t.expectTrouble(/Failed to load resource|status of 404|gambol/);
  const element = await shown(t);
  const sweep = new Sweep();
  const callbacks = [
    'connectedCallback',
    'disconnectedCallback',
    'attributeChangedCallback',
    'adoptedCallback',
    'announce',
  ];
  await sweep.over('element', operations(element, [...INTERNAL, ...callbacks], false));
  element.remove();
  sweep.end(t, 1000);
});
