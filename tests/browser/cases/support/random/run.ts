// Random calls, valid and invalid, on all objects of the package. The same seed makes the same calls; the browser's own
// work between them may differ.

import {
  GambolError,
  createViewer,
  loadAsset,
  type Actor,
  type Asset,
  type Crowd,
  type Joint,
  type Morph,
  type Layer,
  type Performer,
  type States,
  type Viewer,
} from 'gambol';
import type { T } from '../../../page/api.ts';
import { humanoid } from '../humanoid.ts';
import { model } from '../model.ts';
import { Held } from './held.ts';
import { Random, Thrown, Values } from './values.ts';

export type Renderer = 'own' | 'shared' | 'worker';

/** The maximum number of live viewers, actors, crowds and so on. */
const MOST = 3;
/** The share of invalid arguments. */
const ODD = 0.12;

/** Messages that an error must not have: they show an invalid state of Rust or of the glue. */
const FATAL =
  /recursive use|null pointer|unreachable|out of bounds|already borrowed|memory access|freed, or is at work/;

/** Untyped values, so that invalid calls compile. */
type Any = any;

export class Run {
  readonly #t: T;
  readonly #renderer: Renderer;
  readonly #values: Values;
  readonly #random: Random;
  readonly #files: readonly Uint8Array<ArrayBuffer>[];
  readonly held = new Held();
  /** Unexpected results. */
  readonly faults: string[] = [];
  /** The names of the calls that have not settled. */
  readonly #pending = new Map<object, string>();
  #viewers: Viewer[] = [];
  #actors: Actor[] = [];
  #crowds: Crowd[] = [];
  #layers: Layer[] = [];
  #joints: Joint[] = [];
  #morphs: Morph[] = [];
  #states: States[] = [];
  #assets: Asset[] = [];
  #elements: HTMLElement[] = [];
  #spare: HTMLCanvasElement[] = [];
  #ended = false;
  #trail: string[] = [];

  private constructor(t: T, renderer: Renderer, seed: number, files: readonly Uint8Array<ArrayBuffer>[]) {
    this.#t = t;
    this.#renderer = renderer;
    this.#random = new Random(seed);
    this.#values = new Values(this.#random, ODD);
    this.#files = files;
  }

  static async begin(t: T, renderer: Renderer, seed: number): Promise<Run> {
    await import('gambol/element');
    const sample = new Uint8Array(await (await fetch('/sample.glb')).arrayBuffer());
    const small = model().glb;
    const broken = small.slice(0, small.length - 100);
    const dancer = new Uint8Array(await humanoid({ names: 'mixamo', clip: 'Other' }).arrayBuffer());
    return new Run(t, renderer, seed, [sample, small, model({ clips: [['Other', 1]] }).glb, broken, dancer]);
  }

  /** Makes `count` calls. */
  async calls(count: number): Promise<void> {
    const names = Object.keys(this.#operations);
    for (let i = 0; i < count; i++) {
      if (this.#viewers.length === 0) await this.#makeViewer();
      const name = this.#random.one(names);
      this.#trail = [...this.#trail.slice(-11), name];
      this.#call(name, this.#operations[name] as () => unknown);
      // Lets frames, events and the next steps of loads run.
      if (this.#random.chance(0.02)) await this.#t.frames(1);
      else if (this.#random.chance(0.05)) await this.#t.sleep(0);
    }
  }

  /** Disposes of everything and reports remaining objects. */
  async end(): Promise<void> {
    this.#ended = true;
    for (const element of this.#elements) element.remove();
    for (const viewer of this.#viewers) this.#dispose(viewer);
    for (const asset of this.#assets) this.#call('asset.dispose', () => asset.dispose());
    // A shared context is kept for five seconds after the last viewer. A worker that does not start times out after
    // thirty.
    const until = performance.now() + 40_000;
    const left = (): boolean => this.#pending.size > 0 || Object.keys(this.held.objects()).length > 0;
    while (left() && performance.now() < until) await this.#t.sleep(50);
    if (this.#pending.size > 0) this.faults.push(`not settled: ${[...this.#pending.values()].join(', ')}`);
    const objects = this.held.objects();
    if (Object.keys(objects).length > 0)
      this.faults.push(`GL objects are left: ${JSON.stringify(objects)} ${this.held.stories().join('; ')}`);
  }

  #call(name: string, call: () => unknown): void {
    try {
      const result = call();
      if (!(result instanceof Promise)) return;
      const key = {};
      this.#pending.set(key, name);
      result
        .then(
          () => undefined,
          (error: unknown) => this.#judge(name, error),
        )
        .finally(() => this.#pending.delete(key))
        .catch(() => undefined);
    } catch (error) {
      this.#judge(name, error);
    }
  }

  #judge(name: string, error: unknown): void {
    if (error instanceof Thrown) return;
    const {
      message = String(error),
      code,
      stack,
    } = Object(error) as { message?: string; code?: string; stack?: string };
    const strange =
      error instanceof WebAssembly.RuntimeError ||
      code === 'wasm/panic' ||
      FATAL.test(message) ||
      !(error instanceof GambolError);
    if (strange)
      this.faults.push(`${name}: ${code ?? ''} ${message}\n  after ${this.#trail.join(' ')}\n  ${stack ?? ''}`);
  }

  async #makeViewer(): Promise<void> {
    // A canvas may have one viewer after another, and a page has few contexts.
    const canvas = this.#spare.pop() ?? this.#t.canvas(48, 32);
    try {
      const viewer = await createViewer(canvas, {
        renderer: this.#renderer,
        maxDpr: 1,
        ...(this.#random.chance(0.2) && { skinOn: 'cpu' as const }),
      });
      // A viewer that has lost its context for good cannot be used.
      viewer.addEventListener('error', ({ detail }) => {
        if (detail.code === 'wasm/panic') this.faults.push(`error event: ${detail.message}`);
        if (detail.code === 'render/context-lost') this.#drop(viewer);
      });
      this.#viewers.push(viewer);
      this.held.note(canvas, 'viewer');
      // The viewer was created after everything was disposed of.
      if (this.#ended) this.#dispose(viewer);
    } catch (error) {
      // After three losses in a minute a shared context is unavailable for some seconds.
      this.held.note(canvas, `no viewer: ${String(error)}`);
      this.#judge('createViewer', error);
      await this.#t.sleep(100);
    }
  }

  #dispose(viewer: Viewer): void {
    this.held.note(viewer.canvas, 'disposed of');
    viewer.dispose();
  }

  #drop(viewer: Viewer): void {
    this.#viewers = this.#viewers.filter((other) => other !== viewer);
    this.#dispose(viewer);
    if (this.#renderer === 'own' && viewer.canvas.getContext('webgl2')?.isContextLost() === false)
      this.#spare.push(viewer.canvas);
    else viewer.canvas.remove();
  }

  // ---- arguments

  get #viewer(): Any {
    return this.#random.one(this.#viewers);
  }

  get #performer(): Any {
    return this.#random.one<Performer>([...this.#viewers, ...this.#actors]);
  }

  #some<One>(list: readonly One[], use: (one: Any) => unknown): unknown {
    return list.length > 0 ? use(this.#random.one(list)) : undefined;
  }

  /** Adds the result of a call to a list; removes the oldest one if there are many. */
  #keep<One>(list: One[], made: One): void {
    list.push(made);
    if (list.length > 2 * MOST) list.shift();
  }

  get #source(): unknown {
    return this.#values.maybe<unknown>(() => this.#random.one([...this.#files, '/nothing.glb', '/sample.glb']));
  }

  get #clip(): unknown {
    return this.#values.maybe<unknown>(() => this.#random.one<unknown>([0, 1, 'Walk', 'Slide', 'Idle', 'Other']));
  }

  get #joint(): unknown {
    return this.#values.maybe<unknown>(() => this.#random.one<unknown>([0, 1, 5, 'Head', 'Hand.L']));
  }

  get #morph(): unknown {
    return this.#values.maybe<unknown>(() => this.#random.one<unknown>(['blink', 'smile', 'Smile']));
  }

  /** A state machine, also with parts that do not exist. */
  get #machine(): unknown {
    const transition = (from: string, to: string, more: object): object => ({
      from,
      to,
      mode: this.#random.one(['inertial', 'crossfade', 'cut', 'fade']),
      ...more,
    });
    return this.#values.maybe<unknown>(() =>
      this.#random.one<unknown>([
        '/nothing.json',
        '{}',
        {
          format: 'gambol-states',
          version: 1,
          inputs: { speed: { type: 'number' }, armed: { type: 'boolean' }, jump: { type: 'trigger' } },
          layers: [
            {
              states: {
                A: { clip: 'Walk' },
                B: {
                  blend: {
                    by: 'speed',
                    clips: [
                      ['Walk', 0],
                      ['Slide', 1],
                    ],
                  },
                },
                C: {},
              },
              transitions: [
                transition('A', 'B', { when: [{ input: 'speed', op: '>', value: 0 }] }),
                transition('B', 'A', { exitTime: 0.1 }),
                transition('*', 'C', { when: [{ input: 'jump' }], duration: 0.1 }),
                transition('C', 'A', { exitSeconds: 0.2, when: [{ input: 'armed' }] }),
              ],
            },
            {
              mask: this.#random.one(['**', 'Head', 'Nothing']),
              states: { None: {}, Idle: { clip: 'Idle', loop: 'once', rate: -1 } },
              transitions: [
                transition('*', 'Idle', { when: [{ input: 'armed' }] }),
                transition('Idle', 'None', { exitTime: 1 }),
              ],
            },
          ],
        },
      ]),
    );
  }

  /** Options of loads. */
  get #loading(): unknown {
    const v = this.#values;
    const some =
      <One>(...of: readonly One[]) =>
      (): One =>
        v.maybe(() => this.#random.one(of));
    return v.options({
      signal: () => v.maybe(() => this.#signal),
      onProgress: some(() => undefined),
      mapURL: some((url: string) => url),
      animations: () => v.maybe(() => [this.#source]),
      retarget: () => this.#retarget,
      baseURL: some('/', document.baseURI),
      credentials: some('omit', 'include'),
      externalResources: some('any', 'same-origin'),
      decoders: some('auto', 'none'),
      limits: () =>
        v.options({ nodes: some(2, 1000), decodedBytes: some(1e9, 100), depth: some(3), imagePixels: some(16) }),
      textureBudget: some(1e9, 1000),
    });
  }

  get #retarget(): unknown {
    const v = this.#values;
    return v.maybe<unknown>(() =>
      this.#random.one<unknown>([
        'auto',
        'names',
        {},
        { hips: 'kept', footLock: true },
        { target: { leftHand: null } },
        { source: { hips: 'Head' } },
      ]),
    );
  }

  get #signal(): AbortSignal {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), this.#random.below(60));
    return controller.signal;
  }

  get #place(): Record<string, unknown> {
    const v = this.#values;
    return v.options({
      position: () => v.vector(),
      rotation: () => v.rotation(),
      scale: () => v.maybe<unknown>(() => this.#random.one<unknown>([1, 0, [1, -1, 2]])),
    });
  }

  get #playing(): Record<string, unknown> {
    const v = this.#values;
    return v.options({
      loopMode: () => v.word('once', 'repeat', 'pingpong'),
      repetitions: () => v.number(0, 4),
      playbackRate: () => v.number(-2, 2),
      startTime: () => v.number(0, 2),
      transition: () => v.word('inertial', 'crossfade', 'cut'),
      duration: () => v.number(0, 1),
      sync: () => v.word('none', 'phase', 'markers'),
      mode: () => v.word('inertial', 'crossfade', 'cut'),
    });
  }

  // ---- calls

  readonly #operations: Record<string, () => unknown> = this.#all();

  #all(): Record<string, () => unknown> {
    const [v, set] = [
      () => this.#values,
      (object: Any, name: string, value: unknown): void => {
        object[name] = value;
      },
    ];
    return {
      createViewer: () => (this.#viewers.length < MOST ? this.#makeViewer() : undefined),
      dispose: () => (this.#random.chance(0.15) ? this.#drop(this.#random.one(this.#viewers)) : undefined),
      load: () =>
        this.#viewer.load(
          this.#source,
          this.#random.chance(0.4) ? { signal: this.#signal } : this.#random.chance(0.3) ? this.#loading : undefined,
        ),
      'load of clips': () => this.#viewer.load(this.#files[1], { animations: v().maybe(() => [this.#source]) }),
      addClips: () =>
        this.#viewer.model?.addClips(
          this.#random.chance(0.3) ? this.#viewer.model : this.#source,
          v().options({
            retarget: () => this.#retarget,
            clips: () => v().maybe(() => [this.#clip]),
            signal: () => this.#signal,
          }),
        ),
      createClip: () => {
        const count = this.#random.below(4);
        const track = (): object => ({
          ...v().options({
            node: () => v().index(),
            morph: () => 'smile',
            pointer: () => '/materials/0/emissiveFactor',
          }),
          ...v().options({ path: () => v().word('translation', 'rotation', 'scale', 'weights') }),
          times: v().list(count),
          values: v().list(count * this.#random.below(13)),
        });
        const setup = { name: 'Made', tracks: this.#random.chance(0.8) ? [track()] : v().anything() };
        return this.#viewer.model?.createClip((this.#random.chance(0.9) ? setup : v().anything()) as Any);
      },
      editClip: () => {
        const edits = [
          { speed: v().number() },
          { trim: { from: v().number(0, 1), to: v().number(0, 2) } },
          { split: { at: v().number(0, 1) } },
          { closeLoop: true },
          { mirror: true },
          { interpolation: { to: v().word('STEP', 'LINEAR', 'CUBICSPLINE') } },
          { moveKeys: { track: v().index(), keys: [v().index()], by: v().number() } },
          v().anything(),
        ];
        return this.#random.chance(0.4)
          ? this.#viewer.model?.editClip(this.#clip, [this.#random.one(edits)] as Any)
          : undefined;
      },
      removeClip: () => (this.#random.chance(0.3) ? this.#viewer.model?.removeClip(this.#clip) : undefined),
      humanoid: () => this.#viewer.model?.humanoid,
      use: () => this.#viewer.use(v().word('body', 'picking', 'states')),
      unload: () => (this.#random.chance(0.3) ? this.#viewer.unload() : undefined),
      add: () =>
        this.#actors.length < MOST
          ? this.#viewer
              .add(this.#random.chance(0.6) ? this.#viewer.model : this.#source, {
                ...this.#place,
                ...(this.#random.chance(0.3) && { signal: this.#signal }),
              })
              .then((actor: Actor) => this.#keep(this.#actors, actor))
          : undefined,
      'actor.remove': () =>
        this.#some(this.#actors, (actor) => {
          if (this.#random.chance(0.5)) {
            this.#actors = this.#actors.filter((other) => other !== actor);
            actor.remove();
          }
        }),
      addCrowd: () =>
        this.#crowds.length < MOST
          ? this.#viewer
              .addCrowd(
                this.#random.chance(0.6) ? this.#viewer.model : this.#source,
                v().options({ count: () => v().index(40), clips: () => this.#clip, positions: () => v().list(9) }),
              )
              .then((crowd: Crowd) => this.#keep(this.#crowds, crowd))
          : undefined,
      'crowd.set': () =>
        this.#some(this.#crowds, (crowd) => {
          const { count } = crowd;
          crowd.set(
            v().options({
              positions: () => v().list(3 * count),
              rotations: () => v().list(4 * count),
              scales: () => v().list(count),
              tints: () => v().list(4 * count),
              times: () => v().list(count),
              rates: () => v().list(count),
              starts: () => v().list(count),
              clips: () => v().list(count, () => 0),
              morphs: () => v().maybe<unknown>(() => ({ smile: v().list(count), blink: null })),
            }),
          );
        }),
      'crowd.count': () => this.#some(this.#crowds, (crowd) => set(crowd, 'count', v().index(60))),
      'crowd settings': () =>
        this.#some(this.#crowds, (crowd) =>
          this.#random.one([
            () => set(crowd, 'loopMode', v().word('once', 'repeat', 'pingpong')),
            () => set(crowd, 'transitionDuration', v().number(0, 1)),
            () => set(crowd, 'updateRate', v().word('auto', 'full')),
            () => set(crowd, 'baked', this.#random.chance(0.5)),
            () => crowd.pause(),
            () => crowd.play(),
          ])(),
        ),
      'crowd.lookAt': () =>
        this.#some(this.#crowds, (crowd) =>
          crowd.lookAt(
            v().maybe<never>(() => this.#random.one<unknown>([null, v().vector()]) as never),
            v().options({
              joint: () => this.#random.one<unknown>([0, 1, 'Head', 'Neck']) as string,
              nearest: () => v().index(9),
              limit: () => v().number(0, 3),
              speed: () => v().number(0, 9),
              joints: () => v().options({ Neck: () => v().number(0, 1) }),
            }),
          ),
        ),
      'crowd events': () =>
        this.#some(this.#crowds, (crowd) => {
          crowd.setMarkers(
            0,
            v().maybe(() => [{ name: 'a', time: v().number(0, 1) }]),
          );
          const events = crowd.events(this.#random.chance(0.5) ? v().index(9) : v().list(3, () => v().index(4)));
          events.addEventListener('marker', () => crowd.times());
          if (this.#random.chance(0.5)) events.stop();
        }),
      'crowd questions': () =>
        this.#some(this.#crowds, (crowd) => [
          crowd.times(),
          crowd.visibleCount,
          crowd.bounds,
          crowd.pick(v().number(0, 48), v().number(0, 32)),
        ]),
      'crowd.remove': () =>
        this.#some(this.#crowds, (crowd) => {
          if (this.#random.chance(0.4)) {
            this.#crowds = this.#crowds.filter((other) => other !== crowd);
            crowd.remove();
          }
        }),

      play: () => this.#performer.play(this.#random.chance(0.5) ? this.#clip : undefined, this.#playing),
      pause: () => this.#performer.pause(),
      stop: () => this.#performer.stop(),
      seek: () => this.#performer.seek(v().number(-1, 3)),
      step: () => this.#performer.step(v().index(5)),
      transitionTo: () => this.#performer.transitionTo(this.#clip, this.#playing),
      time: () =>
        set(
          this.#performer,
          this.#random.one([
            'currentTime',
            'progress',
            'playbackRate',
            'repetitions',
            'startTime',
            'transitionDuration',
          ]),
          v().number(-1, 2),
        ),
      segment: () =>
        set(
          this.#performer,
          'segment',
          v().maybe<unknown>(() => this.#random.one<unknown>([null, [0, 0.5], [0.2, 0.1]])),
        ),
      loopMode: () => set(this.#performer, 'loopMode', v().word('once', 'repeat', 'pingpong')),
      clip: () => set(this.#performer, 'clip', this.#clip),
      variant: () =>
        set(
          this.#performer,
          'variant',
          v().maybe<unknown>(() => null),
        ),
      setRootMotion: () => this.#performer.setRootMotion(v().word('keep', 'in-place', 'accumulate', 'extract')),
      setMarkers: () =>
        this.#performer.setMarkers(
          this.#clip,
          v().maybe(() => [{ name: 'a', time: v().number(0, 1) }]),
        ),
      blendSpace: () => {
        const performer = this.#performer;
        const space = performer.blendSpace({
          clips: [
            [this.#clip, 0],
            [this.#clip, 1],
          ],
          sync: v().word('none', 'phase'),
        });
        performer.play(space);
        space.value = v().number(0, 1);
      },
      place: () => set(this.#performer, 'place', this.#place),
      teleport: () => this.#performer.teleport(this.#place as never),
      activeCamera: () =>
        set(
          this.#performer,
          'activeCamera',
          v().maybe<unknown>(() => this.#random.one([0, null])),
        ),
      questions: () => {
        const performer = this.#performer;
        return [
          performer.bounds,
          performer.boundingSphere,
          performer.poseHash(),
          performer.joints,
          performer.warnings,
          performer.iteration,
          performer.ended,
          performer.info,
        ];
      },

      'layers.add': () => {
        const { layers } = this.#performer;
        if (layers.size < MOST)
          this.#keep(
            this.#layers,
            layers.add(
              this.#clip,
              v().options({
                name: () => v().word('a', 'b'),
                mode: () => v().word('override', 'additive'),
                weight: () => v().number(0, 1),
                mask: () => v().maybe<unknown>(() => this.#random.one<unknown>(['*', '!*', { Head: 0.5 }])),
                fade: () => v().number(0, 0.5),
                reference: () => v().word('rest'),
              }),
            ),
          );
      },
      layer: () =>
        this.#some(this.#layers, (layer) =>
          this.#random.one([
            () => set(layer, 'weight', v().number(0, 1)),
            () => layer.fadeTo(v().number(0, 1), v().number(0, 1)),
            () =>
              set(
                layer,
                'mask',
                v().maybe<unknown>(() => null),
              ),
            () => layer.play(this.#playing),
            () => layer.pause(),
            () => layer.seek(v().number(0, 1)),
            () => layer.remove(v().options({ fade: () => v().number(0, 0.3) })),
          ])(),
        ),
      'layers.clear': () => this.#performer.layers.clear(v().options({ fade: () => v().number(0, 0.3) })),

      joint: () => this.#keep(this.#joints, this.#performer.joint(this.#joint)),
      'joint.override': () =>
        this.#some(this.#joints, (joint) =>
          joint.override(
            v().maybe<unknown>(() =>
              this.#random.one<unknown>([
                null,
                { translation: v().vector(), rotation: v().rotation(), scale: v().number(0, 2) },
              ]),
            ),
            v().options({ space: () => v().word('local', 'model', 'world'), weight: () => v().number(0, 1) }),
          ),
        ),
      'joint.lookAt': () =>
        this.#some(this.#joints, (joint) =>
          joint.lookAt(
            v().maybe<unknown>(() => this.#random.one<unknown>([null, v().vector()])),
            v().options({
              axis: () => v().vector(),
              limit: () => v().number(0, 3),
              weight: () => v().number(0, 1),
              speed: () => v().number(0, 9),
              joints: () => v().options({ Neck: () => v().number(0, 1), Chest: () => v().number(0, 1) }),
            }),
          ),
        ),
      'joint.ik': () =>
        this.#some(this.#joints, (joint) =>
          joint.ik(
            v().maybe<unknown>(() => this.#random.one<unknown>([null, v().vector()])),
            v().options({ middle: () => this.#joint, root: () => this.#joint, pole: () => v().vector() }),
          ),
        ),
      'joint.ik of a chain': () =>
        this.#some(this.#joints, (joint) =>
          joint.ik(v().vector(), {
            chain: v().index(5),
            ...v().options({
              solver: () => v().word('fabrik', 'ccd'),
              weight: () => v().number(0, 1),
              limits: () =>
                v().maybe<unknown>(() =>
                  this.#random.one<unknown>([
                    v().number(0, 3),
                    [v().number(0, 3), null, { axis: v().vector(), min: v().number(-1, 0), max: v().number(0, 1) }],
                  ]),
                ),
            }),
          }),
        ),
      'joint.spring': () =>
        this.#some(this.#joints, (joint) =>
          joint.spring(
            v().maybe<unknown>(() =>
              this.#random.one<unknown>([
                null,
                v().options({
                  stiffness: () => v().number(0, 4),
                  drag: () => v().number(0, 1),
                  gravity: () => v().number(-1, 1),
                  gravityDirection: () => v().vector(),
                  radius: () => v().number(0, 0.1),
                  center: () => v().maybe<unknown>(() => this.#random.one<unknown>(['world', 'model', this.#joint])),
                  colliders: () =>
                    v().maybe<unknown>(() => [
                      { joint: this.#joint, radius: v().number(0, 0.2), ...v().options({ tail: () => v().vector() }) },
                    ]),
                }),
              ]),
            ),
          ),
        ),
      'joint.billboard': () =>
        this.#some(this.#joints, (joint) =>
          joint.billboard(v().maybe<unknown>(() => this.#random.one<unknown>([null, v().word('full', 'axis')]))),
        ),
      'material.flipbook': () =>
        this.#performer.material(v().maybe<unknown>(() => this.#random.one<unknown>([0, 'Sheet']))).flipbook(
          v().maybe<unknown>(() =>
            this.#random.one<unknown>([
              null,
              {
                columns: v().index(4),
                rows: v().index(4),
                ...v().options({
                  start: () => v().index(4),
                  frames: () => v().index(4),
                  fps: () => v().number(-30, 30),
                  loopMode: () => v().word('once', 'repeat', 'pingpong'),
                  clock: () => v().word('timeline', 'clip'),
                }),
              },
            ]),
          ),
        ),
      'material.cell': () => this.#performer.material(0).cell,
      feet: () =>
        this.#performer.feet(
          v().maybe<unknown>(() =>
            this.#random.one<unknown>([
              null,
              v().options({
                ground: () =>
                  v().maybe<unknown>(() =>
                    this.#random.one<unknown>([
                      'flat',
                      this.#actors[0],
                      // Its errors would be those of the page: no call is left to throw them.
                      () => this.#random.one<unknown>([null, NaN, 0.1, -0.1, { y: 0.05, normal: [0.2, 1, 0] }]),
                    ]),
                  ),
                pelvis: () => v().maybe(() => this.#random.chance(0.5)),
                weight: () => v().number(0, 1),
                joints: () => v().maybe<unknown>(() => [this.#joint, 'FootR']),
              }),
            ]),
          ),
        ),
      'joint.attach': () =>
        this.#some(this.#joints, (joint) => {
          const target = this.#random.chance(0.5) && this.#actors[0] ? this.#actors[0] : document.createElement('i');
          const detach = joint.attach(
            target,
            v().maybe<unknown>(() => this.#random.one<unknown>([v().vector(), this.#place])),
          );
          if (this.#random.chance(0.6)) detach();
        }),
      'joint questions': () =>
        this.#some(this.#joints, (joint) => [joint.world, joint.parent, joint.children, joint.name]),

      loadStates: () =>
        this.#performer
          .loadStates(this.#machine, v().options({ autoplay: () => v().maybe(() => this.#random.chance(0.5)) }))
          .then((states: States) => this.#keep(this.#states, states)),
      'states.inputs': () =>
        this.#some(this.#states, (states) =>
          set(
            states.inputs,
            this.#random.one(['speed', 'armed', 'jump', 'nothing']),
            this.#random.chance(0.5) ? v().number(-1, 2) : v().maybe(() => this.#random.chance(0.5)),
          ),
        ),
      'states.fire': () =>
        this.#some(this.#states, (states) =>
          states.fire(v().maybe(() => this.#random.one(['jump', 'speed', 'nothing']))),
        ),
      'states questions': () =>
        this.#some(this.#states, (states) => [
          { ...states.inputs },
          states.time,
          states.current(v().maybe<unknown>(() => this.#random.one<unknown>([0, 1, '1', 'base']))),
        ]),
      'states.remove': () =>
        this.#some(this.#states, (states) => (this.#random.chance(0.3) ? states.remove() : states.removed)),

      morph: () => this.#keep(this.#morphs, this.#performer.morph(this.#morph)),
      'morph.override': () =>
        this.#some(this.#morphs, (morph) =>
          morph.override(
            v().maybe<unknown>(() => this.#random.one<unknown>([null, v().number(-1, 2)])),
            v().options({ weight: () => v().number(0, 1), fade: () => v().number(0, 0.5) }),
          ),
        ),
      'morph.weight': () => this.#some(this.#morphs, (morph) => set(morph, 'weight', v().number(-1, 2))),
      'morph questions': () =>
        this.#some(this.#morphs, (morph) => [morph.weight, this.#performer.model?.morphs, morph.name]),

      camera: () =>
        set(
          this.#viewer,
          'camera',
          v().options({
            azimuth: () => v().number(),
            polar: () => v().number(0, 3),
            distance: () => v().number(0, 9),
            target: () => v().vector(),
            fovY: () => v().number(0.1, 2),
          }),
        ),
      'camera by hand': () =>
        this.#random.one([
          () => this.#viewer.orbit(v().number(), v().number()),
          () => this.#viewer.pan(v().number(), v().number()),
          () => this.#viewer.zoom(v().number(0.1, 3)),
          () => this.#viewer.resetCamera(),
          () => this.#viewer.frame(),
          () => set(this.#viewer, 'framing', v().word('pose', 'clip', 'rest')),
        ])(),
      light: () =>
        set(
          this.#viewer,
          this.#random.one([
            'exposure',
            'environmentIntensity',
            'environmentRotation',
            'skyboxBlur',
            'skyboxHeight',
            'shadowIntensity',
            'shadowSoftness',
          ]),
          v().number(0, 1),
        ),
      environment: () =>
        this.#viewer.setEnvironment(
          v().maybe<unknown>(() => this.#random.one<unknown>(['studio', 'file', null, '/nothing.hdr', this.#files[1]])),
          this.#random.chance(0.3) ? { signal: this.#signal } : undefined,
        ),
      skybox: () => set(this.#viewer, 'skybox', this.#random.chance(0.5)),
      looks: () =>
        this.#random.one([
          () =>
            set(
              this.#viewer,
              'debug',
              v().word('none', 'skeleton', 'wireframe normals', 'names', 'bounds', 'weights:Head'),
            ),
          () =>
            set(
              this.#viewer,
              'debug',
              v().maybe(() => ['skeleton', this.#joint]),
            ),
          () => set(this.#viewer, 'skinning', v().word('linear', 'dual-quaternion')),
          () =>
            set(
              this.#viewer,
              'background',
              v().maybe<unknown>(() => null),
            ),
          () => set(this.#viewer, 'toneMapping', v().word('neutral', 'aces', 'agx', 'none')),
        ])(),
      timeline: () => {
        const viewer = this.#viewer;
        viewer.timeline = v().word('auto', 'manual');
        if (viewer.timeline === 'manual') viewer.advance(v().number(0, 1));
      },
      points: () =>
        this.#random.one([
          () => this.#viewer.pick(v().number(0, 48), v().number(0, 32)),
          () => this.#viewer.occlusion(v().vector()),
          () => this.#viewer.project(v().vector(), this.#random.chance(0.5) ? this.#joint : undefined),
          () => this.#viewer.surface(v().maybe(() => [0, 0, v().index(9), v().index(9), v().index(9), 1, 0, 0])),
        ])(),
      picture: () =>
        this.#random.chance(0.3)
          ? this.#random.one([
              () =>
                this.#viewer.toBlob(
                  v().options({
                    time: () => v().number(0, 1),
                    width: () => v().index(64),
                    height: () => v().index(64),
                  }),
                ),
              () => this.#viewer.toDataURL(),
              () =>
                this.#viewer
                  .renderAt(v().number(0, 1), { width: 8, height: 8 })
                  .then((picture: ImageBitmap) => picture.close()),
            ])()
          : undefined,
      stats: () => this.#viewer.stats,
      size: () => {
        const { canvas } = this.#viewer;
        canvas.style.width = `${this.#random.one([0, 1, 48, 90])}px`;
      },
      'lose the context': () => (this.#random.chance(0.04) ? this.#lose() : undefined),

      loadAsset: () =>
        this.#assets.length < MOST && this.#random.chance(0.3)
          ? loadAsset(this.#source as string, this.#random.chance(0.3) ? (this.#loading as object) : undefined).then(
              (asset) => {
                this.#keep(this.#assets, asset);
              },
            )
          : undefined,
      asset: () =>
        this.#some(this.#assets, (asset) =>
          this.#random.one([
            () => asset.sample(this.#clip, v().number(0, 1)),
            () =>
              asset.sampleMany(
                this.#clip,
                v().maybe(() => [0, 0.5]),
                v().word('transforms', 'matrices', 'weights'),
              ),
            () => asset.findJoint(this.#joint),
            () => {
              if (this.#random.chance(0.2)) {
                this.#assets = this.#assets.filter((other) => other !== asset);
                asset.dispose();
              }
            },
          ])(),
        ),
      element: () => this.#element(),
    };
  }

  /** Adds, changes or removes an element. */
  #element(): unknown {
    const element = this.#elements[0] as Any;
    if (!element) {
      const made = document.createElement('gambol-viewer') as Any;
      made.style.cssText = 'display: inline-block; width: 48px; height: 32px';
      made.setAttribute('renderer', this.#renderer);
      made.setAttribute('src', '/sample.glb');
      made.addEventListener('error', ({ detail }: CustomEvent<{ code: string; message: string }>) => {
        if (detail.code === 'wasm/panic') this.faults.push(`error event of the element: ${detail.message}`);
      });
      document.body.append(made);
      this.#elements.push(made as HTMLElement);
      return undefined;
    }
    return this.#random.one<() => unknown>([
      () => {
        if (this.#random.chance(0.2)) {
          element.remove();
          this.#elements.shift();
        }
      },
      () => element.play(),
      () => element.pause(),
      () => (element.src = this.#random.one(['/sample.glb', '/nothing.glb', ''])),
      () =>
        element.setAttribute(
          this.#random.one(['controls', 'autoplay', 'camera-orbit', 'shadow-intensity', 'debug', 'animation-name']),
          this.#random.one(['', '1', 'Walk', '45deg 75deg 3m', 'skeleton']),
        ),
      () => element.positionAndNormalFromPoint(this.#values.number(0, 60), this.#values.number(0, 60)),
      () => element.toBlob(),
      () => element.getDimensions(),
      () => element.appendAnimation('Wave', { weight: 0.5 }),
      () =>
        (element.innerHTML =
          '<button slot="hotspot-a" data-joint="Head">a</button><gambol-layer animation="Wave" weight="0.4"></gambol-layer>'),
    ])();
  }

  /** Loses a context, and restores it soon after. */
  #lose(): void {
    const context = this.#random.one(this.held.contexts);
    const loss = context?.isContextLost() === false ? context.getExtension('WEBGL_lose_context') : null;
    if (!loss) return;
    // At the third loss in a minute gambol gives up, and then the context must not be restored.
    let returns = false;
    context?.canvas.addEventListener('webglcontextlost', (event) => (returns = event.defaultPrevented), { once: true });
    this.held.note(context?.canvas, 'lose');
    loss.loseContext();
    setTimeout(() => {
      this.held.note(context?.canvas, returns ? 'restore' : 'gone');
      if (returns) loss.restoreContext();
    }, 5 + this.#random.below(60));
  }
}
